import { currentContext, isTracing, withSpan } from '@rubrica/process';

/** A span of the statement, where a call or a message is under way: what sweeps and polls begins no traces of its own. */
export function inTrace<Result>(
  { name, schema }: { readonly name: string; readonly schema: string },
  run: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing() || currentContext()?.traceparent === undefined) return run();
  const facts = {
    'db.system.name': 'postgresql',
    'db.operation.name': name,
    'db.namespace': schema,
  } as const;
  return withSpan(name, {}, run, { kind: 'client', facts });
}
