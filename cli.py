"""The command `carteado`: arguments and wiring, nothing else."""

def main() -> int:
    return 0
