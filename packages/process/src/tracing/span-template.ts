import { type LogFields, pickLogFields } from '../log/log-fields.ts';

/** Direction of the work: `internal` is work of the service itself. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** Attributes of OpenTelemetry's semantic conventions: names of things, never a value of a caller. */
export type SpanFacts = {
  'db.system.name'?: 'postgresql';
  'db.operation.name'?: string;
  'db.namespace'?: string;
  'http.request.method'?: string;
  'http.route'?: string;
  'messaging.system'?: 'nats';
  'messaging.operation.name'?: string;
  'messaging.operation.type'?: 'send' | 'process';
  'messaging.destination.name'?: string;
  'messaging.consumer.group.name'?: string;
  'messaging.message.id'?: string;
  'rpc.system'?: 'trpc';
  'rpc.service'?: string;
  'rpc.method'?: string;
  'server.address'?: string;
};

export type SpanTraits = {
  /** `internal` by default. */
  kind?: SpanKind;
  facts?: SpanFacts;
  /** Log fields, limited by the allow-list of the log. */
  fields?: Omit<LogFields, 'err'>;
};

/** Name, kind and attributes of the spans of one operation. Attributes are picked with the first span. */
export class SpanTemplate {
  readonly name: string;
  readonly #traits: SpanTraits;
  #attributes: Readonly<Record<string, unknown>> | undefined;

  constructor(name: string, traits: SpanTraits = {}) {
    this.name = name;
    this.#traits = traits;
  }

  get kind(): SpanKind {
    return this.#traits.kind ?? 'internal';
  }

  get attributes(): Readonly<Record<string, unknown>> {
    this.#attributes ??= { ...pickLogFields(this.#traits.fields ?? {}), ...this.#traits.facts };
    return this.#attributes;
  }
}

/** Creates one template for each name, for names that are few and the program's own. */
export function templatesByName(make: (name: string) => SpanTemplate): (name: string) => SpanTemplate {
  const known = new Map<string, SpanTemplate>();
  return (name) => {
    const template = known.get(name) ?? make(name);
    known.set(name, template);
    return template;
  };
}
