import { type LogFields, pickLogFields } from '../log/log-fields.ts';
import { encodeTraits, type SpanKind } from './otlp.ts';

/** What of OpenTelemetry's semantic conventions a span may say: names of things, never a value of a caller. */
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
  /** Who speaks to whom; work of one's own by default. */
  kind?: SpanKind;
  facts?: SpanFacts;
  /** By the logs' allow-list. */
  fields?: Omit<LogFields, 'err'>;
};

/** What spans of one operation have in common. Made once where that can be: it becomes text with its first span. */
export class SpanTemplate {
  readonly #name: string;
  readonly #traits: SpanTraits;
  #encoded: string | undefined;

  constructor(name: string, traits: SpanTraits = {}) {
    this.#name = name;
    this.#traits = traits;
  }

  /** Members of OTLP's JSON. */
  get encoded(): string {
    this.#encoded ??= this.#encode();
    return this.#encoded;
  }

  #encode(): string {
    const { kind = 'internal', facts, fields = {} } = this.#traits;
    return encodeTraits({ name: this.#name, kind, attributes: { ...pickLogFields(fields), ...facts } });
  }
}

/** One for each name, for names that are few and the program's own. */
export function templatesByName(make: (name: string) => SpanTemplate): (name: string) => SpanTemplate {
  const known = new Map<string, SpanTemplate>();
  return (name) => {
    const template = known.get(name) ?? make(name);
    known.set(name, template);
    return template;
  };
}
