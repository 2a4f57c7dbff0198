import type { Operation } from '@rubrica/contracts/rest/operation';
import type { Scope } from '@rubrica/contracts/shared/enumerations';

/** A call that is refused, and what it shows. */
export interface Refusal {
  readonly shows: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Callers {
  /** An access token with these scopes. */
  readonly tokenOf: (scope?: Scope) => string;
}

/** Larger than the limit that the test gives every body. */
export const largestBody = 4_096;

const wrongValues: readonly (readonly [shows: string, value: unknown])[] = [
  ['numbers', 7],
  ['lists', []],
  ['objects', {}],
  ['control characters', 'a\u0007b'],
  ['long texts', 'x'.repeat(2_100 / 16)],
  ['words', 'nonsense'],
];

/** Everything that the gateway refuses by itself, of one operation. */
export function refusalsOf(operation: Operation, callers: Callers): Refusal[] {
  return [
    ...byAccess(operation, callers),
    ...(operation.body === undefined ? [] : byBody(operation, authorised(operation, callers))),
    ...(operation.query === undefined ? [] : byQuery(operation, authorised(operation, callers))),
    { shows: 'another method', path: operation.path, method: 'DELETE', headers: {} },
  ];
}

type Headers = Readonly<Record<string, string>>;

function authorised({ access }: Operation, { tokenOf }: Callers): Headers {
  return access === 'public' ? {} : { authorization: `Bearer ${tokenOf()}` };
}

function byAccess({ access, path, method }: Operation, { tokenOf }: Callers): Refusal[] {
  if (access === 'public') return [];
  const other = access === 'status:read' ? 'collector:write' : 'status:read';
  const as = (shows: string, headers: Headers) => ({ shows, path, method, headers });
  return [
    as('no token', {}),
    as('another scheme', { authorization: 'Digest x' }),
    as('a token of nobody', { authorization: 'Bearer x' }),
    as('a token that is no longer known', { authorization: 'Bearer rbk_nobodys' }),
    as('a token without the scope', { authorization: `Bearer ${tokenOf(other)}` }),
  ];
}

function byBody({ path, method, body, mediaType }: Operation, caller: Headers): Refusal[] {
  const type = mediaType ?? 'application/json';
  const send = (shows: string, text: string, contentType = type): Refusal => ({
    shows,
    path,
    method,
    headers: { ...caller, 'content-type': contentType },
    body: text,
  });
  const names = Object.keys(body?.shape ?? {});
  const write = (value: unknown): string => {
    const fields = Object.fromEntries(names.map((name) => [name, value]));
    return type === 'application/json'
      ? JSON.stringify(fields)
      : String(new URLSearchParams(fields as never));
  };
  return [
    send('no fields', type === 'application/json' ? '{}' : 'x=y'),
    ...wrongValues.map(([shows, value]) => send(shows, write(value))),
    send('too large a body', `{"x":"${'x'.repeat(largestBody)}"}`),
    send('another media type', '<a/>', 'text/xml'),
    send('another encoding', '{}', `${type}; charset=utf-16`),
    ...(type === 'application/json'
      ? [send('an empty body', ''), send('a broken body', '{"a"'), send('a list', '[]')]
      : []),
  ];
}

function byQuery({ path, method, query }: Operation, caller: Headers): Refusal[] {
  const names = Object.keys(query?.shape ?? {});
  const send = (shows: string, parameters: string): Refusal => ({
    shows,
    path: parameters === '' ? path : `${path}?${parameters}`,
    method,
    headers: caller,
  });
  const each = (value: string) => names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&');
  return [
    send('no parameters', ''),
    send('wrong parameters', each('nonsense\u0007')),
    send('words as parameters', each('nonsense')),
    send('parameters given twice', `${each('a')}&${each('b')}`),
  ];
}
