"""A Statecast client in Python, written from the protocol article and the vectors alone.

Read in this order: cbor (the one form), digest, delta, wire (frames), mirror, client.
"""

from .client import Client

__all__ = ["Client"]
