import type { AnyTRPCRouter } from '@trpc/server';

const guardMark = Symbol.for('rubrica.guard');

type Markable = { [guardMark]?: true };

/** Marks a middleware as one that decides who may call. */
export function markGuard({ _middlewares }: { _middlewares: readonly object[] }): void {
  for (const middleware of _middlewares) (middleware as Markable)[guardMark] = true;
}

/**
 * Fails at start-up and in every test that builds the router if a procedure has no guard. Such a procedure would be
 * open to every client of the bus, and no other check would reveal it.
 */
export function assertAllGuarded<Router extends AnyTRPCRouter>(router: Router): Router {
  for (const [path, procedure] of Object.entries(router._def.procedures)) {
    const { middlewares = [] } = (procedure as { _def: { middlewares?: readonly Markable[] } })._def;
    if (middlewares.some((middleware) => middleware[guardMark])) continue;
    throw new Error(`The procedure ${path} has no guard: use asService, asPartner, asOperator or asAnyone`);
  }
  return router;
}
