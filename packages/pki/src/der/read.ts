import { failedResult, ok, type Result } from '../result.ts';
import { tags } from './write.ts';

/** One element of a parsed DER value. All byte arrays are views of the input, without copies. */
export type DerNode = {
  /** Identifier octet: class, constructed bit and number (numbers above 30 are not accepted). */
  tag: number;
  raw: Uint8Array;
  content: Uint8Array;
  /** Members of a constructed element; empty for a primitive one. */
  children: DerNode[];
};

/**
 * Thrown inside readers only: the public readers run in `readSafely`, which turns it into a value. Deep inside a
 * structure an exception keeps each accessor to one line.
 */
export class Malformed extends Error {}

/** Deeper nesting is refused: garbage made of opening tags must not exhaust the stack. */
const MAX_DEPTH = 48;

/** Limit on elements, refused before they fill the memory. A subscriber's certificate has some 150. */
const MAX_NODES = 20_000;

type Input = { bytes: Uint8Array; nodesLeft: number };

/** Reads one DER element that fills the input. Definite, shortest lengths only (X.690 §10.1). Throws `Malformed`. */
export function readNode(bytes: Uint8Array): DerNode {
  const node = nodeAt({ bytes, nodesLeft: MAX_NODES }, 0, MAX_DEPTH);
  if (node.raw.length !== bytes.length) throw new Malformed('bytes follow the value');
  return node;
}

/** Runs a reader and turns `Malformed` into an error value; any other exception is a bug of ours and passes through. */
export function readSafely<T>(read: () => T): Result<T, { code: 'MALFORMED'; reason: string }> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof Malformed) return failedResult({ code: 'MALFORMED', reason: error.message });
    throw error;
  }
}

function nodeAt(input: Input, offset: number, depthLeft: number): DerNode {
  const { bytes } = input;
  if (depthLeft === 0) throw new Malformed('nested too deeply');
  if (input.nodesLeft-- === 0) throw new Malformed('more elements than any such file has');
  const { tag, start, end } = headerAt(bytes, offset);
  const children: DerNode[] = [];
  if ((tag & 0x20) !== 0) {
    for (let at = start; at < end; ) {
      const child = nodeAt(input, at, depthLeft - 1);
      at += child.raw.length;
      if (at > end) throw new Malformed('a member reaches past its parent');
      children.push(child);
    }
  }
  return { tag, raw: bytes.subarray(offset, end), content: bytes.subarray(start, end), children };
}

/** Finds start and end of the content of the element at `offset`; the content is not examined. Throws `Malformed`. */
export function headerAt(bytes: Uint8Array, offset: number): { tag: number; start: number; end: number } {
  const tag = bytes[offset];
  if (tag === undefined) throw new Malformed('ends inside an element');
  if ((tag & 0x1f) === 0x1f) throw new Malformed('tag numbers above 30 are not used here');
  const first = bytes[offset + 1];
  if (first === undefined) throw new Malformed('ends inside a length');
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const start = offset + 2 + octets;
  const end = start + (first < 0x80 ? first : longLength(bytes, offset + 2, octets));
  if (end > bytes.length) throw new Malformed('a length reaches past the end');
  return { tag, start, end };
}

function longLength(bytes: Uint8Array, offset: number, count: number): number {
  if (count === 0) throw new Malformed('indefinite length');
  if (count > 4) throw new Malformed('length of more than four octets');
  let length = 0;
  for (let i = 0; i < count; i++) {
    const octet = bytes[offset + i];
    if (octet === undefined) throw new Malformed('ends inside a length');
    length = length * 256 + octet;
  }
  if (length < 0x80 || length < 256 ** (count - 1)) throw new Malformed('length not in its shortest form');
  return length;
}

/** Returns the member at `index`, which must have this tag. */
export function member(node: DerNode, index: number, tag: number): DerNode {
  const child = node.children[index];
  if (child === undefined) throw new Malformed(`member ${index} is missing`);
  return expectTag(child, tag);
}

export function expectTag(node: DerNode, tag: number): DerNode {
  if (node.tag !== tag) throw new Malformed(`expected tag 0x${hex(tag)}, found 0x${hex(node.tag)}`);
  return node;
}

function hex(tag: number) {
  return tag.toString(16).padStart(2, '0');
}

export function readOid(node: DerNode): string {
  const { content } = expectTag(node, tags.objectIdentifier);
  if (content.length === 0 || content.length > 64) throw new Malformed('object identifier of a strange size');
  const arcs: Arc[] = [];
  let arc: Arc = 0;
  let open = false;
  for (const octet of content) {
    if (!open && octet === 0x80) throw new Malformed('object identifier with padding');
    arc = longerArc(arc, octet & 0x7f);
    open = (octet & 0x80) !== 0;
    if (open) continue;
    arcs.push(arc);
    arc = 0;
  }
  if (open) throw new Malformed('object identifier ends inside an arc');
  const [first = 0, ...rest] = arcs;
  const root = first < 40 ? 0 : first < 80 ? 1 : 2;
  const second = typeof first === 'bigint' ? first - BigInt(root * 40) : first - root * 40;
  return [root, second, ...rest].join('.');
}

/**
 * Arc of an object identifier: a bigint only if a number is too small. Certificates are full of short ones, and a
 * bigint takes ten times as long.
 */
type Arc = number | bigint;

function longerArc(arc: Arc, bits: number): Arc {
  const fits = typeof arc === 'number' && arc < 2 ** 46;
  return fits ? arc * 128 + bits : (BigInt(arc) << 7n) | BigInt(bits);
}

/** Reads the content octets of an INTEGER in two's complement, which must be in shortest form. */
export function readIntegerBytes(node: DerNode): Uint8Array {
  const { content } = expectTag(node, tags.integer);
  const [first, second] = content;
  if (first === undefined) throw new Malformed('empty integer');
  const padded =
    second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (padded) throw new Malformed('integer not in its shortest form');
  return content;
}

/** Reads a non-negative INTEGER that fits in 31 bits. */
export function readSmallInteger(node: DerNode): number {
  const bytes = readIntegerBytes(node);
  if ((bytes[0] ?? 0) >= 0x80 || bytes.length > 4) throw new Malformed('integer out of range');
  return bytes.reduce((value, octet) => value * 256 + octet, 0);
}

/** Reads an ENUMERATED of one octet, like all of RFC 5280 and RFC 6960. */
export function readEnumerated(node: DerNode): number {
  const { content } = expectTag(node, tags.enumerated);
  const [value] = content;
  if (value === undefined || content.length !== 1 || value >= 0x80)
    throw new Malformed('enumerated out of range');
  return value;
}

export function readBoolean(node: DerNode): boolean {
  const { content } = expectTag(node, tags.boolean);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) {
    throw new Malformed('boolean that is neither true nor false');
  }
  return content[0] === 0xff;
}

/** Reads the octets of a BIT STRING and the number of unused bits in the last octet. */
export function readBitString(node: DerNode): { bytes: Uint8Array; unusedBits: number } {
  const { content } = expectTag(node, tags.bitString);
  const unusedBits = content[0];
  if (unusedBits === undefined || unusedBits > 7 || (content.length === 1 && unusedBits > 0)) {
    throw new Malformed('bit string with an impossible bit count');
  }
  return { bytes: content.subarray(1), unusedBits };
}

/** Reads the positions of the bits set in a BIT STRING of named bits. */
export function readNamedBits(node: DerNode): number[] {
  const { bytes } = readBitString(node);
  if (bytes.length > 8) throw new Malformed('more named bits than any type has');
  const bits: number[] = [];
  bytes.forEach((octet, index) => {
    for (let bit = 0; bit < 8; bit++) if (octet & (0x80 >> bit)) bits.push(index * 8 + bit);
  });
  return bits;
}
