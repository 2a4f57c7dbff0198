import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';

/** A row of the tables as written there; parts that are not agreed with other parties are omitted. */
interface WrittenCall {
  readonly kind: string;
  readonly callers: readonly string[];
  readonly actsFor: object;
  readonly repeat?: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

interface WrittenProcedure {
  readonly kind: string;
  readonly service: string;
  readonly servedBy?: string;
  readonly role: string;
  readonly sessions?: readonly string[];
  readonly opens?: object;
  readonly seals?: object;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

interface WrittenStream {
  readonly name: string;
  readonly owner: string;
  readonly subjects: readonly string[];
  readonly retention: string;
  readonly republish?: object;
}

interface WrittenConsumer {
  readonly stream: string;
  readonly durable: string;
  readonly filterSubject: string;
}

type ByFamily = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>;

interface WrittenMetric {
  readonly type: string;
  readonly labels: readonly string[];
}

export interface SettingLeaf {
  readonly schema: z.ZodType;
  readonly facts: { readonly env: string };
}

interface DescribedSetting {
  readonly env: string;
  readonly required: boolean;
  readonly default: string | undefined;
}

/** Tables of a checkout of the project, of this version or another. */
export interface Tree {
  readonly toJSONSchema: typeof z.toJSONSchema;
  readonly serviceCalls: Readonly<Record<string, Readonly<Record<string, WrittenCall>>>>;
  readonly operatorProcedures: Readonly<Record<string, WrittenProcedure>>;
  readonly messageSchemas: Readonly<Record<string, z.ZodType>>;
  readonly streams: readonly WrittenStream[];
  readonly consumers: Readonly<Record<string, WrittenConsumer>>;
  readonly webhookBodiesByFamily: ByFamily;
  readonly webhookEnvelopesByFamily: ByFamily;
  readonly metricRows: Readonly<Record<string, WrittenMetric>>;
  readonly buildDocument: (about: object) => object;
  /** Renders the message of an issue, which may contain a text, in English. */
  readonly renderCheckMessage: (message: string) => string;
  readonly describeSettings: (schema: z.ZodObject) => readonly DescribedSetting[];
  readonly listSettings: (schema: z.ZodObject) => readonly SettingLeaf[];
  /** The modules `config.ts` by the names of their apps; each exported schema belongs to one program. */
  readonly configs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Names of exports up to release 0.1.0. */
interface FormerNames {
  readonly webhookBodiesOf: ByFamily;
  readonly webhookEnvelopesOf: ByFamily;
}

/** Module that builds the OpenAPI document: its path now, and the path up to release 0.2.0. */
const documentPaths = [
  'packages/openapi/src/build-document.ts',
  'apps/gateway/src/docs/openapi/build-document.ts',
];

const apps = ['gateway', 'intake', 'generation', 'terms', 'notifier', 'console'];

/**
 * Loads the tables by their paths, since a package imports no app, and since they may belong to another checkout.
 *
 * @param root root folder of the checkout, with its `node_modules`
 */
export async function loadTree(root: string): Promise<Tree> {
  const load = async (path: string) => (await import(pathToFileURL(join(root, path)).href)) as object;
  const zodPath = createRequire(join(root, 'packages/contracts/package.json')).resolve('zod');
  const { z: treeZod } = (await import(pathToFileURL(zodPath).href)) as { z: typeof z };
  const modules = await Promise.all(
    [
      'packages/contracts/src/services/calls.ts',
      'packages/contracts/src/operators/procedures.ts',
      'packages/contracts/src/messages/messages.ts',
      'packages/contracts/src/rest/webhooks.ts',
      'packages/contracts/src/metrics/metrics.ts',
      'packages/contracts/src/error-texts/check-message.ts',
      'packages/process/src/config/describe-settings.ts',
      'packages/process/src/config/walk-settings.ts',
    ].map(load),
  );
  const description = await load(documentPaths.find((path) => existsSync(join(root, path))) ?? '');
  const configs = await Promise.all(
    apps.map(async (app) => [app, await load(`apps/${app}/src/config.ts`)] as const),
  );
  const exported = Object.assign({}, ...modules, description) as Omit<Tree, 'toJSONSchema' | 'configs'> &
    FormerNames;
  return {
    ...exported,
    webhookBodiesByFamily: exported.webhookBodiesByFamily ?? exported.webhookBodiesOf,
    webhookEnvelopesByFamily: exported.webhookEnvelopesByFamily ?? exported.webhookEnvelopesOf,
    toJSONSchema: treeZod.toJSONSchema,
    configs: Object.fromEntries(configs) as Tree['configs'],
  };
}
