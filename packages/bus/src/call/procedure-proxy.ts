import type { BusOperation } from './start-call.ts';

export interface CallOptions {
  readonly context?: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

export type CallProcedure = (
  target: { readonly type: BusOperation['type']; readonly path: string },
  input: unknown,
  options: CallOptions | undefined,
) => unknown;

const types: Readonly<Record<string, BusOperation['type'] | undefined>> = {
  query: 'query',
  mutate: 'mutation',
  subscribe: 'subscription',
};

/** Limit on remembered paths: a caller that builds paths from external data must not fill the memory. */
const maxRemembered = 1_000;

/**
 * Creates `client.requests.register.mutate` as a chain of objects, each created once. tRPC's own proxy joins the whole
 * path at every dot, which cost a tenth of a call.
 */
export function procedureProxy(call: CallProcedure, path = '', key = ''): object {
  const children = new Map<string, object>();
  const type = Object.hasOwn(types, key) ? types[key] : undefined;
  const target = { type: type ?? 'query', path };
  const self = (input: unknown, options?: CallOptions) => {
    if (type === undefined) throw new TypeError(`Not a way to call a procedure: ${path}.${key}`);
    return call(target, input, options);
  };
  const childPath = path === '' || key === '' ? `${path}${key}` : `${path}.${key}`;
  return new Proxy(self, {
    get(_self, name) {
      // A client that is awaited by mistake must not look like a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      const known = children.get(name);
      if (known !== undefined) return known;
      const child = procedureProxy(call, childPath, name);
      if (children.size < maxRemembered) children.set(name, child);
      return child;
    },
  });
}
