"""Events to canonical bytes and back, by kind and version, never by a class path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.inspect import AnyType, CustomType, DecimalType, Field, FloatType, StructType, Type, type_info

from eventlog.upcasters import Fields, Upcasters


class Kind(Struct, frozen=True):
    """A kind of event: its stored name, its current version, and the type that holds it."""

    name: str
    version: int
    type: type[Struct]


class Encoded(Struct, frozen=True):
    """An event ready for the log; `payload` is canonical JSON."""

    kind: str
    kind_version: int
    payload: bytes


class UnknownKindError(LookupError):
    """An event of a kind, or of a version of it, that this code does not know."""


class Codec:
    """Translates all kinds of one log. Building it proves that the kinds fit the log and every old version is upcast."""

    def __init__(
        self,
        kinds: Iterable[Kind],
        upcasters: Upcasters | None = None,
        enc_hook: Callable[[object], object] | None = None,
        dec_hook: Callable[[type, object], object] | None = None,
    ) -> None:
        self.kinds = tuple(kinds)
        self._upcasters = upcasters or Upcasters()
        self._encoder = msgspec.json.Encoder(enc_hook=enc_hook, order="sorted")
        self._by_type = {kind.type: kind for kind in self.kinds}
        self._current = {kind.name: kind.version for kind in self.kinds}
        if not len(self._by_type) == len(self._current) == len(self.kinds):
            raise ValueError("a kind or a type stands twice")
        for kind in self.kinds:
            _refuse_inexact(kind)
        self._upcasters.check(self._current)
        self._decoders = {
            (kind.name, kind.version): msgspec.json.Decoder(kind.type, dec_hook=dec_hook) for kind in self.kinds
        }

    def encode(self, event: Struct) -> Encoded:
        """The event as the log keeps it: sorted keys, no spaces."""
        kind = self._by_type.get(type(event))
        if kind is None:
            raise UnknownKindError(type(event).__name__)
        return Encoded(kind.name, kind.version, self._encoder.encode(event))

    def decode(self, kind: str, kind_version: int, payload: bytes) -> Struct:
        """The event as today's code knows it, whatever version it was written in."""
        decoder = self._decoders.get((kind, kind_version))
        if decoder is None:
            return self._decode_old(kind, kind_version, payload)
        return decoder.decode(payload)

    def _decode_old(self, kind: str, kind_version: int, payload: bytes) -> Struct:
        newest = self._current.get(kind, 0)
        if not 0 < kind_version < newest:
            raise UnknownKindError(f"{kind} version {kind_version}")
        fields = msgspec.json.decode(payload, type=Fields)
        fields = self._upcasters.upcast(kind, kind_version, newest, fields)
        return self._decoders[kind, newest].decode(msgspec.json.encode(fields))


def _refuse_inexact(kind: Kind) -> None:
    """Floats have no one text form that every language writes, so they would break the digest elsewhere."""
    shape = type_info(kind.type)
    if not isinstance(shape, StructType) or shape.array_like:
        raise ValueError(f"{kind.name}: the data of an event is a JSON object")
    if inexact := [node for node in _nodes(shape) if _is_inexact(node)]:
        raise ValueError(f"{kind.name} could hold floats: {inexact[0]}")


def _is_inexact(node: Type) -> bool:
    return isinstance(node, AnyType | DecimalType | FloatType) or (isinstance(node, CustomType) and node.cls is object)


def _nodes(shape: Type) -> Iterator[Type]:
    """Every type within a type, each once."""
    waiting: list[object] = [shape]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, Type | Field) and id(node) not in seen:
            seen.add(id(node))
            if isinstance(node, Type):
                yield node
            waiting.extend(getattr(node, name) for name in node.__struct_fields__)
