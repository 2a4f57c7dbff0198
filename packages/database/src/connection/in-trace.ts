import { currentContext } from '@rubrica/process/context';
import { SpanTemplate, templatesByName, withLeafSpan } from '@rubrica/process/tracing';

export type InTrace = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>;

/** Creates a span for each statement inside a call or a message. Statements of sweeps and polls start no traces. */
export function createInTrace(schema: string): InTrace {
  const findTemplate = templatesByName(
    (name) =>
      new SpanTemplate(name, {
        kind: 'client',
        facts: { 'db.system.name': 'postgresql', 'db.operation.name': name, 'db.namespace': schema },
      }),
  );
  return (name, run) =>
    currentContext()?.traceparent === undefined ? run() : withLeafSpan(findTemplate(name), run);
}
