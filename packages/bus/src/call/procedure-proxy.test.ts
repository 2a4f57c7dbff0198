import { describe, expect, it } from 'vitest';
import { procedureProxy } from './procedure-proxy.ts';

// biome-ignore lint/suspicious/noExplicitAny: the proxy has every property
const proxy = procedureProxy((target, input, options) => ({ ...target, input, options })) as any;

describe('the procedure proxy', () => {
  it('turns a chain of names into a path and a type', () => {
    expect(proxy.things.list.query(1)).toEqual({ path: 'things.list', type: 'query', input: 1 });
    expect(proxy.a.b.c.mutate()).toMatchObject({ path: 'a.b.c', type: 'mutation' });
    expect(proxy.a.subscribe('x')).toMatchObject({ path: 'a', type: 'subscription' });
  });

  it('lets routers and procedures have the names of the ways to call', () => {
    expect(proxy.query.mutate.query()).toMatchObject({ path: 'query.mutate', type: 'query' });
  });

  it('hands on the options of one call', () => {
    const options = { context: { timeoutMs: 5 } };
    expect(proxy.a.query(1, options).options).toBe(options);
  });

  it('makes each step once', () => {
    expect(proxy.things.list.query).toBe(proxy.things.list.query);
  });

  it('is no promise and calls nothing under another name', () => {
    expect(proxy.then).toBeUndefined();
    expect(() => proxy.things.list.fetch()).toThrow('Not a way to call a procedure: things.list.fetch');
    expect(() => proxy.things.constructor()).toThrow(TypeError);
  });
});
