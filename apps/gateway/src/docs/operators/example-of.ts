import { z } from 'zod';

/** As much of JSON Schema as the operators' procedures make use of. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly minLength?: number;
}

const id = '0197a2b4-6d0e-7c44-9d0a-3f6e2b8c1d70';

/** What a field of this name holds, where its schema says no more than that it is a text. */
const textByName: Readonly<Record<string, string>> = {
  accessToken: 'eyJ…',
  action: 'certificate.issued',
  actor: 'operator:admin@example.com',
  approvalId: `intake.${id}`,
  clientId: 'acme',
  destination: 'https://acme.example:443',
  identificationNumber: '0102030405',
  issuer: 'CN=Rubrica Issuing 1, O=Rubrica, C=EC',
  month: '2026-11',
  name: 'Acme',
  key: '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAER07rEZYhf/cl/fvGgABl7kpAsO+Q\nteZWpEyQMKWrX3tqUCPRzMXXo1fkpOHN+nmYvtwn+Q6NmcBU8V2a4iu0Ew==\n-----END PUBLIC KEY-----\n',
  newPassword: 'un sauce llora en la quebrada 7',
  operator: 'reviewer@example.com',
  proposedBy: 'admin@example.com',
  reason: 'asked for in ticket 4711',
  referenceTransaction: 'ORDER-1',
  secret: 'whsec_…',
  shownSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  serialNumber: '0A1B2C3D4E5F',
  subject: 'CN=MARÍA JOSÉ ÑÚÑEZ, C=EC',
  version: '2026-11',
};

const numberByName: Readonly<Record<string, number>> = {
  durationMs: 84,
  expiresIn: 1_800,
  limit: 25,
  size: 48_213,
};

/** Ends are ahead, and beginnings before other instants. */
const instantByName: Readonly<Record<string, string>> = {
  expiresAt: `${new Date().getUTCFullYear() + 1}-06-30T14:05:00.000Z`,
  from: '2026-11-22T14:05:00.000Z',
};

const byFormat: Readonly<Record<string, string>> = {
  uuid: id,
  email: 'admin@example.com',
  'date-time': '2026-11-23T14:05:00.000Z',
  uri: 'https://acme.example/webhooks',
};

/** What a call of a procedure sends or answers, made from its schema alone, and in accordance with it. */
export function exampleOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  const place = { defs: described.$defs ?? {} };
  const least = exampleValue(described, '', place);
  if (io === 'output' || schema.safeParse(least).success) return filtered(described, least, place);
  // One of several fields is required, which only the schema itself says.
  const { properties = {} } = described;
  const more = Object.entries(properties).map(([name, field]) => ({
    ...(least as object),
    [name]: exampleValue(field, name, place),
  }));
  return more.find((value) => schema.safeParse(value).success) ?? least;
}

/** A search without filters shows none: its first one goes with it. */
function filtered({ properties = {}, required = [] }: Schema, least: unknown, place: Place): unknown {
  const filters = Object.entries(properties).filter(
    ([name]) => !['cursor', 'limit', 'reason'].includes(name),
  );
  const [first] = filters;
  if (required.length > 0 || first === undefined) return least;
  return { [first[0]]: exampleValue(first[1], first[0], place) };
}

interface Place {
  readonly defs: Readonly<Record<string, Schema>>;
}

function exampleValue(schema: Schema, name: string, place: Place): unknown {
  if (schema.$ref !== undefined) return exampleValue(place.defs[schema.$ref.slice(8)] ?? {}, name, place);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return exampleValue(choice, name, place);
  if (schema.properties !== undefined) return objectOf(schema, place);
  if (schema.items !== undefined) return [exampleValue(schema.items, name.replace(/s$/, ''), place)];
  if (schema.propertyNames !== undefined) return recordOf(schema, place);
  return plainOf(schema, name);
}

function objectOf({ properties = {}, required = [] }: Schema, place: Place): object {
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleValue(field, name, place)]));
}

function recordOf({ propertyNames, additionalProperties, required = [] }: Schema, place: Place): object {
  if (typeof additionalProperties !== 'object' || propertyNames?.enum === undefined) return {};
  return Object.fromEntries(required.map((name) => [name, exampleValue(additionalProperties, name, place)]));
}

function plainOf({ type, format, minimum, minLength = 0 }: Schema, name: string): unknown {
  const [kind] = [type ?? 'null'].flat();
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return numberByName[name] ?? Math.max(minimum ?? 0, 1);
  if (kind !== 'string') return null;
  if (format === 'date-time' && instantByName[name] !== undefined) return instantByName[name];
  // Ids that are no UUID are of changes that wait.
  const id = name === 'id' || name === 'cursor' ? textByName.approvalId : undefined;
  return byFormat[format ?? ''] ?? textByName[name] ?? id ?? '…'.padEnd(minLength, '…');
}
