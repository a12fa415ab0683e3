"""Host and peers: ZeroMQ sockets, the messages on them, and who may say what."""
