// The turn comes round: the title says so, the phone shakes, and (after the first tap, as browsers ask) a short sound.

export class Alerts {
  constructor() {
    this.audio = null;
    window.addEventListener("pointerdown", () => this.#wakeSound(), { once: true });
    window.addEventListener("keydown", () => this.#wakeSound(), { once: true });
  }

  get quiet() {
    return localStorage.getItem("quiet") === "yes";
  }

  set quiet(quiet) {
    localStorage.setItem("quiet", quiet ? "yes" : "no");
  }

  // Show whether it is the reader's turn: `told` is the title then, `plain` otherwise.
  show(mine, told, plain) {
    document.title = mine ? `● ${told}` : plain;
  }

  // Call the reader: the turn has come round.
  call() {
    if (this.quiet) return;
    navigator.vibrate?.(60);
    this.#sound();
  }

  #wakeSound() {
    const Context = window.AudioContext || window.webkitAudioContext;
    if (Context && !this.audio) this.audio = new Context();
    this.audio?.resume?.();
  }

  #sound() {
    if (this.audio?.state !== "running") return;
    const now = this.audio.currentTime;
    for (const [at, pitch] of [[0, 660], [0.12, 880]]) {
      const tone = this.audio.createOscillator();
      const volume = this.audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, now + at);
      volume.gain.exponentialRampToValueAtTime(0.12, now + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, now + at + 0.25);
      tone.connect(volume).connect(this.audio.destination);
      tone.start(now + at);
      tone.stop(now + at + 0.3);
    }
  }
}
