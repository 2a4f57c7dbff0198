import type { Json, Schema } from '../schema/json-schema.ts';

/** Agreements of a release with other parties, one part per file of a snapshot. */
export interface Snapshot {
  readonly openapi: OpenApi;
  /** Calls between services, by `<answers>/<name>`. */
  readonly calls: Readonly<Record<string, CallRow>>;
  /** Procedures of operators, by their paths. */
  readonly operators: Readonly<Record<string, OperatorRow>>;
  readonly messages: Messages;
  /** Bodies by `<event>/<family>`, and by `<event>/<family>/envelope`. */
  readonly webhooks: Readonly<Record<string, Schema>>;
  /** Settings by `<service>/<program>/<name>`. */
  readonly settings: Readonly<Record<string, SettingRow>>;
  /** Metrics by name. */
  readonly metrics: Readonly<Record<string, MetricRow>>;
}

export type Part = keyof Snapshot;
export const parts = [
  'openapi',
  'calls',
  'operators',
  'messages',
  'webhooks',
  'settings',
  'metrics',
] as const satisfies readonly Part[];

/** The document without the parts for people: descriptions, examples, tags. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Json;
}

export interface Operation {
  readonly security?: Json;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Exchange {
  readonly kind: string;
  readonly input: Schema;
  /** Answer as its reader accepts it. */
  readonly output: Schema;
}

export interface CallRow extends Exchange {
  readonly callers: readonly string[];
  readonly actsFor: Json;
  readonly repeat: string | null;
}

export interface OperatorRow extends Exchange {
  readonly service: string;
  readonly servedBy: string | null;
  readonly role: string;
  /** Sessions that may call it, in addition to full ones. */
  readonly sessions: readonly string[];
  readonly opens: Json;
  readonly seals: Json;
}

export interface Messages {
  /** Payloads by subject. */
  readonly payloads: Readonly<Record<string, Schema>>;
  readonly streams: Readonly<Record<string, Json>>;
  readonly consumers: Readonly<Record<string, Json>>;
}

export interface SettingRow {
  readonly required: boolean;
  readonly default: string | null;
  readonly accepts: Schema;
  /** Rejection of a nonsense text; null if the setting accepts it, or lists its values. */
  readonly refuses: string | null;
}

export interface MetricRow {
  readonly type: string;
  readonly labels: readonly string[];
}
