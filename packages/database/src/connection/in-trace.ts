import { currentContext, SpanTemplate, templatesByName, withLeafSpan } from '@rubrica/process';

export type InTrace = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>;

/** A span of each statement, where a call or a message is under way: what sweeps and polls begins no traces of its own. */
export function createInTrace(schema: string): InTrace {
  const spanOf = templatesByName(
    (name) =>
      new SpanTemplate(name, {
        kind: 'client',
        facts: { 'db.system.name': 'postgresql', 'db.operation.name': name, 'db.namespace': schema },
      }),
  );
  return (name, run) =>
    currentContext()?.traceparent === undefined ? run() : withLeafSpan(spanOf(name), run);
}
