"""The page for phones and browsers, and the gateway that serves it: a peer of the host for every browser."""
