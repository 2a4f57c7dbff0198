import type { z } from 'zod';
import type { Schema } from '../schema/json-schema.ts';
import type { CallRow, Messages, OpenApi, OperatorRow, SettingRow, Snapshot } from './snapshot.ts';
import { loadTree, type Tree } from './tree.ts';
import { withoutAnnotations } from './without-annotations.ts';

/** A text that is invalid for every setting. */
const nonsense = '\u0001';

/** Takes the agreements of the checkout at `root` with other parties. */
export async function takeSnapshot(root: string): Promise<Snapshot> {
  const tree = await loadTree(root);
  return {
    openapi: readOpenApi(tree),
    calls: readCalls(tree),
    operators: readOperators(tree),
    messages: readMessages(tree),
    webhooks: readWebhooks(tree),
    settings: readSettings(tree),
    metrics: readMetrics(tree),
  };
}

/**
 * Describes a schema as its reader accepts it: requests as the answering service does, answers and messages as their
 * recipient does.
 */
function describeSchema(tree: Tree, schema: z.ZodType): Schema {
  return withoutAnnotations(tree.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as Schema;
}

function readOpenApi({ buildDocument }: Tree): OpenApi {
  const document = buildDocument({ baseUrl: 'https://rubrica.example', version: '0', sandbox: true });
  const { paths, components } = withoutAnnotations(document) as unknown as OpenApi;
  return { paths, components };
}

function readCalls(tree: Tree): Snapshot['calls'] {
  const rows = Object.entries(tree.serviceCalls).flatMap(([service, calls]) =>
    Object.entries(calls).map(([name, row]): [string, CallRow] => [
      `${service}/${name}`,
      {
        kind: row.kind,
        callers: row.callers.toSorted(),
        actsFor: withoutAnnotations(row.actsFor),
        repeat: row.repeat ?? null,
        input: describeSchema(tree, row.input),
        output: describeSchema(tree, row.output),
      },
    ]),
  );
  return byName(rows);
}

function readOperators(tree: Tree): Snapshot['operators'] {
  const rows = Object.entries(tree.operatorProcedures).map(([path, row]): [string, OperatorRow] => [
    path,
    {
      kind: row.kind,
      service: row.service,
      servedBy: row.servedBy ?? null,
      role: row.role,
      sessions: row.sessions?.toSorted() ?? [],
      opens: withoutAnnotations(row.opens ?? {}),
      seals: withoutAnnotations(row.seals ?? {}),
      input: describeSchema(tree, row.input),
      output: describeSchema(tree, row.output),
    },
  ]);
  return byName(rows);
}

function readMessages(tree: Tree): Messages {
  return {
    payloads: byName(
      Object.entries(tree.messageSchemas).map(([subject, schema]) => [subject, describeSchema(tree, schema)]),
    ),
    streams: byName(
      tree.streams.map(({ name, owner, subjects, retention, republish }) => [
        name,
        withoutAnnotations({ owner, subjects, retention, republish: republish ?? null }),
      ]),
    ),
    consumers: byName(
      Object.values(tree.consumers).map(({ stream, durable, filterSubject }) => [
        `${stream}/${durable}`,
        { filterSubject },
      ]),
    ),
  };
}

function readWebhooks(tree: Tree): Snapshot['webhooks'] {
  const bodies = (of: Tree['webhookBodiesByFamily'], end: string) =>
    Object.entries(of).flatMap(([family, events]) =>
      Object.entries(events).map(([event, schema]): [string, Schema] => [
        `${event}/${family}${end}`,
        describeSchema(tree, schema),
      ]),
    );
  return byName([
    ...bodies(tree.webhookBodiesByFamily, ''),
    ...bodies(tree.webhookEnvelopesByFamily, '/envelope'),
  ]);
}

function readSettings(tree: Tree): Snapshot['settings'] {
  const rows = Object.entries(tree.configs).flatMap(([app, shown]) =>
    Object.entries(shown).flatMap(([name, schema]) => {
      const program = findProgram(app, name);
      if (program === undefined) return [];
      return listRows(tree, schema as z.ZodObject).map(([env, row]): [string, SettingRow] => [
        `${app}/${program}/${env}`,
        row,
      ]);
    }),
  );
  return byName(rows);
}

/**
 * Names the program of a schema: `settings` and `gatewaySettings` belong to the running service, `provisioningSettings`
 * to the step before it.
 */
function findProgram(app: string, name: string): string | undefined {
  const program = /^(?<program>\w*?)settings$/i.exec(name)?.groups?.program;
  return program === '' || program === app ? 'running' : program;
}

function listRows(tree: Tree, schema: z.ZodObject): [string, SettingRow][] {
  const rows = new Map(tree.describeSettings(schema).map((row) => [row.env, row]));
  return tree.listSettings(schema).map(({ schema: leaf, facts: { env } }) => {
    const row = rows.get(env);
    const { default: _, ...accepts } = describeSchema(tree, leaf);
    return [
      env,
      {
        required: row?.required ?? false,
        default: row?.default ?? null,
        accepts,
        refuses: accepts.enum === undefined ? readRefusal(tree, leaf) : null,
      },
    ];
  });
}

function readMetrics({ metricRows }: Tree): Snapshot['metrics'] {
  return byName(
    Object.entries(metricRows).map(([name, { type, labels }]) => [name, { type, labels: labels.toSorted() }]),
  );
}

/** Renders the rejection of a nonsense text. It is cut at a semicolon: examples follow, and grow with each addition. */
function readRefusal(tree: Tree, schema: z.ZodType): string | null {
  const [issue] = schema.safeParse(nonsense).error?.issues ?? [];
  return issue ? (tree.renderCheckMessage(issue.message).split(';')[0] ?? null) : null;
}

function byName<Row>(rows: readonly (readonly [string, Row])[]): Record<string, Row> {
  return Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
