import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { deeplyNested } from '../../support/oddities.ts';
import { changeAt, listLeaves } from './leaves.ts';
import type { RawCall } from './raw-http.ts';
import type { SoundCall } from './sound-calls.ts';
import { headerName, oddEscape, oddHeader, oddMethod, oddValue, spoiler } from './values.ts';

type Damage<Call> = (call: Call) => Call;

const anywhere = fc.nat(1_000_000);

/** Inserts `piece` at any position of a text. */
function insert(text: string, at: number, piece: string): string {
  const index = at % (text.length + 1);
  return text.slice(0, index) + piece + text.slice(index);
}

function changeBody(call: SoundCall, at: number, change: (old: unknown) => unknown): SoundCall {
  const { body } = call;
  if (body.kind === 'json' || body.kind === 'lines') {
    const leaves = listLeaves(body.value);
    return {
      ...call,
      body: { ...body, value: changeAt(body.value, leaves[at % leaves.length] ?? [], change) },
    };
  }
  if (body.kind !== 'form') return call;
  const names = Object.keys(body.value);
  const name = names[at % Math.max(1, names.length)] ?? 'code';
  return {
    ...call,
    body: { kind: 'form', value: { ...body.value, [name]: asText(change(body.value[name])) } },
  };
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** Changes the input of a procedure, which is JSON in one parameter, or the parameter itself. */
function changeQuery(call: SoundCall, at: number, change: (old: unknown) => unknown): SoundCall {
  const [name, value] = call.query[at % Math.max(1, call.query.length)] ?? ['type', ''];
  const changed = name === 'input' ? inJson(value, at, change) : asText(change(value));
  return { ...call, query: [...call.query.filter(([one]) => one !== name), [name, changed]] };
}

function inJson(text: string, at: number, change: (old: unknown) => unknown): string {
  const value: unknown = JSON.parse(text);
  const leaves = listLeaves(value);
  return JSON.stringify(changeAt(value, leaves[at % leaves.length] ?? [], change)) ?? '';
}

/** Damages fields and parameters: the call stays well-formed. */
const fieldDamage: fc.Arbitrary<Damage<SoundCall>> = fc
  .tuple(
    anywhere,
    fc.oneof(
      oddValue.map((value) => () => value),
      fc.tuple(anywhere, spoiler).map(
        ([at, piece]) =>
          (old: unknown) =>
            typeof old === 'string' ? insert(old, at, piece) : piece,
      ),
      fc.constant(() => undefined),
      fc.constant((old: unknown) => [old, old]),
    ),
  )
  .map(([at, change]) => (call) => {
    // A parameter that was damaged before may no longer be JSON.
    if (call.body.kind === 'none' || call.body.kind === 'bytes') {
      try {
        return changeQuery(call, at, change);
      } catch {
        return call;
      }
    }
    return changeBody(call, at, change);
  });

const parameterDamage: fc.Arbitrary<Damage<SoundCall>> = fc
  .tuple(
    fc.constantFrom('type', 'referenceTransaction', 'input', 'batch', 'lang', '__proto__', 'province', 'x'),
    oddValue,
  )
  .map(([name, value]) => (call) => ({ ...call, query: [...call.query, [name, asText(value)]] }));

/** Damages credentials: changes the header's content below its encoding. */
export const credentialsDamage: fc.Arbitrary<Damage<SoundCall>> = fc
  .tuple(anywhere, spoiler)
  .map(([at, piece]) => (call) => ({
    ...call,
    headers: call.headers.map(([name, value]) => [name, damageCredentials(value, at, piece)] as const),
  }));

function damageCredentials(value: string, at: number, piece: string): string {
  const [scheme = '', text = ''] = value.split(' ');
  if (scheme !== 'Basic') return scheme === 'Bearer' ? `Bearer ${insert(text, at, piece)}` : value;
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return `Basic ${Buffer.from(insert(plain, at, piece)).toString('base64')}`;
}

export const valueDamage: fc.Arbitrary<Damage<SoundCall>> = fc.oneof(
  { weight: 6, arbitrary: fieldDamage },
  { weight: 1, arbitrary: parameterDamage },
);

const targetDamage: fc.Arbitrary<Damage<RawCall>> = fc.oneof(
  fc.tuple(anywhere, oddEscape).map(([at, piece]) => (call: RawCall) => ({
    ...call,
    target: insert(call.target, at, piece),
  })),
  // Replaces a segment of the path, such as a token.
  fc.tuple(anywhere, oddEscape).map(([at, piece]) => (call: RawCall) => {
    const [path = '', query] = call.target.split(/\?(.*)/s);
    const segments = path.split('/');
    segments[1 + (at % Math.max(1, segments.length - 1))] = piece;
    return { ...call, target: query === undefined ? segments.join('/') : `${segments.join('/')}?${query}` };
  }),
  fc
    .constantFrom('*', '', 'x', 'http://evil.example/', 'http://[', '?', '/', '//', '/%', '/.')
    .map((piece) => (call: RawCall) => ({
      ...call,
      target: piece.length > 2 ? piece + call.target : piece,
    })),
);

const headerDamage: fc.Arbitrary<Damage<RawCall>> = fc
  .tuple(headerName, oddHeader, fc.boolean())
  .map(([name, value, isReplaced]) => (call) => {
    const others = isReplaced ? call.headers.filter(([one]) => one !== name) : call.headers;
    return { ...call, headers: [...others, [name, value]] };
  });

const byteDamage: fc.Arbitrary<(body: Buffer) => Buffer> = fc.oneof(
  anywhere.map((at) => (body: Buffer) => body.subarray(0, at % (body.length + 1))),
  fc.tuple(anywhere, fc.uint8Array({ minLength: 1, maxLength: 6 })).map(([at, bytes]) => (body: Buffer) => {
    const index = at % (body.length + 1);
    return Buffer.concat([body.subarray(0, index), bytes, body.subarray(index)]);
  }),
  fc.tuple(anywhere, fc.nat(255)).map(([at, byte]) => (body: Buffer) => {
    const changed = Buffer.from(body);
    if (changed.length > 0) changed[at % changed.length] = byte;
    return changed;
  }),
  fc.constantFrom<(body: Buffer) => Buffer>(
    (body) => Buffer.from(body.toString('utf8'), 'utf16le'),
    (body) => Buffer.from(body.toString('utf8'), 'latin1'),
    (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    (body) => gzipSync(body),
    (body) => Buffer.concat([body, body]),
    () => Buffer.alloc(0),
    () => Buffer.alloc(64),
  ),
  fc.oneof(deeplyNested, fc.json(), fc.constantFrom('null', '"', '[]', '{}', '{"a":1,}')).map((text) => {
    const bytes = Buffer.from(text);
    return () => bytes;
  }),
);

const ofBody: fc.Arbitrary<Damage<RawCall>> = fc
  .tuple(byteDamage, fc.constantFrom('whole', 'whole', 'cut', 'more', 'chunked'))
  .map(([change, framing]) => (call) => {
    const body = change(call.body);
    const others = call.headers.filter(([name]) => name !== 'content-length');
    if (framing === 'whole') return { ...call, body };
    if (framing === 'chunked')
      return { ...call, body, headers: [...others, ['transfer-encoding', 'chunked']] };
    const said = framing === 'cut' ? body.length + 10 : Math.max(0, body.length - 1);
    return { ...call, body, headers: [...others, ['content-length', String(said)]] };
  });

const ofMethod: fc.Arbitrary<Damage<RawCall>> = oddMethod.map((method) => (call) => ({ ...call, method }));

export const wireDamage: fc.Arbitrary<Damage<RawCall>> = fc.oneof(
  { weight: 4, arbitrary: targetDamage },
  { weight: 4, arbitrary: headerDamage },
  { weight: 3, arbitrary: ofBody },
  { weight: 1, arbitrary: ofMethod },
);
