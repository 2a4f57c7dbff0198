import fc from 'fast-check';
import { credentialsDamage, valueDamage, wireDamage } from './damages.ts';
import type { RawCall } from './raw-http.ts';
import type { SoundCall } from './sound-calls.ts';

/** Generates calls, each with one to four damages. */
export function damagedCalls(calls: readonly SoundCall[]): fc.Arbitrary<RawCall> {
  const byName = Map.groupBy(calls, ({ name }) => name.replace(/[A-Za-z0-9_-]{43}/, '{token}'));
  // Every route is equally frequent, regardless of its number of calls.
  const call = fc.constantFrom(...byName.values()).chain((same) => fc.constantFrom(...same));
  return call.chain((sound) =>
    listDamages(sound).map(({ values, wire }) => {
      const spoiled = values.reduce((one, damage) => damage(one), sound);
      return wire.reduce((one, damage) => damage(one), toRaw(spoiled));
    }),
  );
}

function listDamages({ headers }: SoundCall) {
  const isBasic = headers.some(([name, value]) => name === 'authorization' && value.startsWith('Basic '));
  const none = fc.constant([]);
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ values: list(valueDamage), wire: none }) },
    { weight: 4, arbitrary: fc.record({ values: none, wire: list(wireDamage) }) },
    { weight: 2, arbitrary: fc.record({ values: list(valueDamage), wire: list(wireDamage) }) },
    // A damaged bearer token only causes a 401; the content of the other scheme is looked up.
    { weight: isBasic ? 20 : 1, arbitrary: fc.record({ values: list(credentialsDamage), wire: none }) },
  );
}

function list<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(arbitrary, { minLength: 1, maxLength: 2 });
}

const mediaTypes = {
  json: 'application/json',
  lines: 'application/x-ndjson',
  form: 'application/x-www-form-urlencoded',
} as const;

export function toRaw({ name, method, path, query, headers, body }: SoundCall): RawCall {
  const parameters = query.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
  const all: [string, string][] = [['host', '127.0.0.1'], ['connection', 'close'], ...headers.map(copy)];
  if (body.kind in mediaTypes) all.push(['content-type', mediaTypes[body.kind as keyof typeof mediaTypes]]);
  return {
    name,
    method,
    target: parameters === '' ? path : `${path}?${parameters}`,
    headers: all,
    body: toBytes(body),
  };
}

const copy = ([name, value]: readonly [string, string]): [string, string] => [name, value];
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function toBytes(body: SoundCall['body']): Buffer {
  if (body.kind === 'none') return Buffer.alloc(0);
  if (body.kind === 'bytes') return body.value;
  if (body.kind === 'form') return Buffer.from(new URLSearchParams(body.value).toString());
  return Buffer.from(JSON.stringify(body.value) ?? '');
}
