"""The two sockets of a client, set as the article wants them."""

import zmq


class Sockets:
    """Whatever has these methods carries a Client; a test has one that follows a script."""

    def __init__(self, folder):
        self.context = zmq.Context()
        self.asking = self.context.socket(zmq.DEALER)
        self.listening = self.context.socket(zmq.SUB)
        for socket in (self.asking, self.listening):
            # Subscriptions are messages: above a mark libzmq would drop them without a word.
            socket.setsockopt(zmq.SNDHWM, 0)
            socket.setsockopt(zmq.RCVHWM, 0)
        self.asking.connect(f"ipc://{folder}/requests")
        self.listening.connect(f"ipc://{folder}/publications")
        self.poller = zmq.Poller()
        self.poller.register(self.asking, zmq.POLLIN)
        self.poller.register(self.listening, zmq.POLLIN)

    def subscribe(self, topic):
        self.listening.subscribe(topic)

    def unsubscribe(self, topic):
        self.listening.unsubscribe(topic)

    def ask(self, frames):
        self.asking.send_multipart([b"", *frames])

    def receive(self, seconds):
        """Waits at most so long; all publications and replies that are there."""
        ready = dict(self.poller.poll(max(0, seconds) * 1000))
        publications = drained(self.listening) if self.listening in ready else []
        replies = drained(self.asking) if self.asking in ready else []
        return publications, [frames[1:] for frames in replies]

    def close(self):
        self.context.destroy(linger=0)


def drained(socket):
    """The messages that a socket has; asking it again is the only way to know."""
    messages = []
    while True:
        try:
            messages.append(socket.recv_multipart(zmq.NOBLOCK))
        except zmq.Again:
            return messages
