import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { operatorRoleSchema } from '@rubrica/contracts/shared/enumerations';
import { recogniseText } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createConsoleClient, type Refusal } from './support/console-client.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const info = scene.stack.info();
const stranger = createConsoleClient(info, { language: 'es' });
const viewer = createConsoleClient(info, { language: 'es' });
const admin = createConsoleClient(info, { language: 'es' });
await viewer.signIn('viewer');
await admin.signIn('admin');

type Client = typeof admin;
type Input = Readonly<Record<string, unknown>>;
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const rows = Object.entries(operatorProcedures) as [OperatorPath, OperatorProcedure][];
const unknownId = '01980000-0000-7000-8000-000000000001';
const strings = [
  unknownId,
  `intake.${unknownId}`,
  'nobody@firmas.example',
  'https://nowhere.example/hook',
  '2026-11-01T00:00:00.000Z',
  '2026-11',
  '2450001009',
  'A text that means nothing',
];

/** Returns a value of the schema that names nothing that exists. */
function sample(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0] ?? {});
  if (schema.type === 'object') return sampleObject(schema);
  if (schema.type === 'array') return schema.minItems ? [sample(schema.items ?? {})] : [];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  const pattern = new RegExp(schema.pattern ?? '', 'u');
  return strings.find((text) => pattern.test(text) && text.length >= (schema.minLength ?? 0));
}

function sampleObject({ properties = {}, required = [] }: JsonSchema): Input {
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
}

const toSchema = ({ input }: OperatorProcedure) =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** Returns values that the field refuses. */
function wrongValues({ maxLength }: JsonSchema): unknown[] {
  return maxLength === undefined ? [{ odd: 'value' }] : [{ odd: 'value' }, 'x'.repeat(maxLength + 1)];
}

/** Calls with one fault each. Those that change something name a record that does not exist. */
function wrongInputs(row: OperatorProcedure): Input[] {
  const schema = toSchema(row);
  const good = sampleObject(schema);
  const perField = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    wrongValues(field).map((value) => ({ ...good, [name]: value })),
  );
  return [{ ...good, colour: 'red' }, ...perField];
}

const namesRecord = ({ required = [] }: JsonSchema) => required.some((name) => /^id$|Id$/.test(name));

function listTexts({ message, data }: Refusal): string[] {
  return [message, ...data.details.map((detail) => detail.message)];
}

/** Calls in both languages and compares the templates of all texts. Returns the code, or undefined if it was not refused. */
async function compare(client: Client, path: OperatorPath, input: Input): Promise<string | undefined> {
  const { error: spanish } = await client.call(path, input, 'es');
  if (spanish === undefined) return undefined;
  const { error: english } = await client.call(path, input, 'en');
  if (english === undefined) throw new Error(`${path} was refused in Spanish alone`);
  const templates = listTexts(english).map((text) => recogniseText(text, 'en'));
  const unknown = listTexts(english).filter((_, index) => templates[index] === undefined);
  expect(unknown, `${path}: a text of no template`).toEqual([]);
  expect(
    listTexts(spanish).map((text) => recogniseText(text, 'es')),
    `${path}: ${JSON.stringify(listTexts(spanish)).slice(0, 500)}`,
  ).toEqual(templates);
  return spanish.data.appCode;
}

async function compareAll(client: Client, path: OperatorPath, inputs: readonly Input[]) {
  return await Promise.all(inputs.map((input) => compare(client, path, input)));
}

/** Answer nothing for a record that does not exist, instead of a refusal. */
const acceptsUnknown: ReadonlySet<OperatorPath> = new Set(['reviews.leave', 'partners.logo']);

const isAbove = ({ role }: OperatorProcedure) =>
  role !== 'public' &&
  operatorRoleSchema.options.indexOf(role) > operatorRoleSchema.options.indexOf('viewer');

it.each(rows)('%s refuses in the language of the reader', async (path, row) => {
  const schema = toSchema(row);
  const good = sampleObject(schema);
  if (row.role !== 'public') expect(await compare(stranger, path, good)).toBe('UNAUTHENTICATED');
  if (isAbove(row)) expect(await compare(viewer, path, good)).toBe('FORBIDDEN');
  const codes = new Set(await compareAll(admin, path, wrongInputs(row)));
  // Without a fresh proof no factor is enrolled, whatever the fields are.
  expect([...codes].some((code) => code === 'FIELD_INVALID' || code === 'FRESH_PROOF_NEEDED')).toBe(true);
  expect([...codes]).not.toContain(undefined);
  if (namesRecord(schema) && row.role !== 'public' && !acceptsUnknown.has(path)) {
    expect(await compare(admin, path, good)).toBeDefined();
  }
});

it('a request that has ended refuses every change in the language of the reader', async () => {
  const { requestId } = await scene.partners.sandbox.accepted({ identificationNumber: '2450001504' });
  await admin.call('requests.cancel', { requestId });
  const changes = rows.filter(([, row]) => row.kind === 'mutation' && namesRequest(toSchema(row)));
  const codes = new Map<OperatorPath, string | undefined>();
  for (const [path, row] of changes) {
    if (path === 'requests.legalHold') continue;
    codes.set(path, await compare(admin, path, { ...sampleObject(toSchema(row)), requestId }));
  }
  expect(codes.size).toBeGreaterThan(8);
  const accepted = [...codes].filter(([, code]) => code === undefined).map(([path]) => path);
  // These only record who looks at the request.
  expect(accepted).toEqual(['reviews.open', 'reviews.leave']);
});

const namesRequest = ({ required = [] }: JsonSchema) => required.includes('requestId');
