import { randomBytes } from 'node:crypto';
import { processesOnBus } from '@rubrica/contracts/messages/accounts';
import { readJson, replaceJson } from './files.ts';
import { homeAt, makeHome } from './home.ts';
import { databaseServices } from './services.ts';
import { termsText } from './terms-text.ts';

export interface PartnerSeed {
  readonly id: string;
  readonly key: 'sandbox' | 'otp' | 'other';
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  readonly passwordConfiguration: 'PARTNER' | 'ONE_TIME_PASSWORD';
  readonly reviewPolicy: 'automatic' | 'manual' | 'four-eyes';
  readonly email: string;
}

export interface OperatorSeed {
  readonly id: string;
  readonly key: 'admin' | 'admin2' | 'reviewer' | 'reviewer2' | 'viewer';
  readonly email: string;
  readonly password: string;
  readonly role: 'viewer' | 'reviewer' | 'admin';
}

export interface TermsSeed {
  readonly id: string;
  readonly type: 'TRADITIONAL_SIGNATURE' | 'TRANSACTIONAL_SIGNATURE';
  readonly version: string;
  readonly content: string;
  readonly active: boolean;
}

/** Rows that the services insert if absent and never overwrite. */
export interface Seed {
  readonly partners: readonly PartnerSeed[];
  readonly operators: readonly OperatorSeed[];
  readonly terms: readonly TermsSeed[];
}

/**
 * Version of an embedded stack's data. It rises with every change after which earlier data is unreadable and migrations
 * cannot help:
 *
 * - 2: sealed values are bound to a purpose and an owner
 * - 3: checkpoints of audit logs are signed with their own key, so earlier ones are no longer valid
 * - 4: the evidence bucket is write-once
 * - 5: streams belong to their own account, bundles to a partner, and there are two administrators
 * - 6: an operator's MAC covers the operator's creator, and reviewers' approvals have a MAC
 * - 7: a partner's MAC covers the type of its subscribers' keys
 */
export const currentDataVersion = 7;

/** Secrets of one embedded stack, generated on its first start; no secret has a default. */
export interface StackSettings {
  /** Version of the data beside it; absent in the first version. */
  readonly dataVersion?: number;
  /** Identifies this stack where its data lie outside its home. */
  readonly id: string;
  readonly postgresPassword: string;
  readonly database: Readonly<Record<string, { ownerPassword: string; appPassword: string }>>;
  /** Passwords by user of the bus: services, provisioning steps, and `operator`, who may see all traffic. */
  readonly nats: Readonly<Record<string, string>>;
  readonly seed: Seed;
  /** Key that seals the sessions of the console; absent in files older than the console. */
  readonly consoleCookieKey?: string;
}

export async function loadSettings(file: string): Promise<StackSettings> {
  const stored = await readJson<StackSettings>(file);
  if (stored?.consoleCookieKey !== undefined) return stored;
  if (stored !== undefined) {
    const completed = { ...stored, consoleCookieKey: makeCookieKey() };
    await replaceJson(file, completed);
    return completed;
  }
  // Loaded on the first start only: the package contains much that would slow a warm start.
  const { uuidv7 } = await import('@rubrica/process/time');
  const made = makeSettings(uuidv7);
  await replaceJson(file, made);
  return made;
}

/**
 * Reads the first rows of the stack in this data folder, also before its first start. Settings that name a partner need
 * them.
 */
export async function loadStackSeed(directory: string): Promise<Seed> {
  const home = homeAt(directory);
  await makeHome(home);
  return (await loadSettings(home.settingsFile)).seed;
}

/** Generates a secret that starts with a letter: NATS' configuration would parse some all-digit words as numbers. */
function makeSecret(bytes = 24) {
  return `r${randomBytes(bytes).toString('hex')}`;
}

function makeCookieKey(): string {
  return randomBytes(32).toString('base64url');
}

function makeSettings(newId: () => string): StackSettings {
  const passwords = () => ({ ownerPassword: makeSecret(), appPassword: makeSecret() });
  return {
    dataVersion: currentDataVersion,
    id: randomBytes(8).toString('hex'),
    postgresPassword: makeSecret(),
    database: Object.fromEntries(databaseServices.map((name) => [name, passwords()])),
    nats: Object.fromEntries([...processesOnBus, 'operator'].map((name) => [name, makeSecret()])),
    seed: makeSeed(newId),
    consoleCookieKey: makeCookieKey(),
  };
}

function makeSeed(newId: () => string): Seed {
  return {
    partners: [
      {
        id: newId(),
        name: 'Aplicaciones Andinas S.A.',
        reviewPolicy: 'automatic',
        ...makePartner('sandbox', 'PARTNER'),
      },
      {
        id: newId(),
        name: 'Firmas del Pacífico Cía. Ltda.',
        reviewPolicy: 'manual',
        ...makePartner('otp', 'ONE_TIME_PASSWORD'),
      },
      {
        id: newId(),
        name: 'Cooperativa Chimborazo',
        reviewPolicy: 'four-eyes',
        ...makePartner('other', 'PARTNER'),
      },
    ],
    operators: [
      { id: newId(), ...makeOperator('admin', 'admin') },
      { id: newId(), ...makeOperator('admin2', 'admin') },
      { id: newId(), ...makeOperator('reviewer', 'reviewer') },
      { id: newId(), ...makeOperator('reviewer2', 'reviewer') },
      { id: newId(), ...makeOperator('viewer', 'viewer') },
    ],
    terms: [{ id: newId(), type: 'TRADITIONAL_SIGNATURE', version: '1.0', content: termsText, active: true }],
  };
}

function makePartner(
  key: PartnerSeed['key'],
  passwordConfiguration: PartnerSeed['passwordConfiguration'],
): Omit<PartnerSeed, 'id' | 'name' | 'reviewPolicy'> {
  return {
    key,
    clientId: `${key}-${randomBytes(6).toString('hex')}`,
    clientSecret: randomBytes(32).toString('base64url'),
    // Format of Standard Webhooks: 24 to 64 random bytes, base64, prefixed.
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    passwordConfiguration,
    email: `${key}@partners.rubrica.test`,
  };
}

function makeOperator(key: OperatorSeed['key'], role: OperatorSeed['role']): Omit<OperatorSeed, 'id'> {
  return { key, email: `${key}@rubrica.test`, password: randomBytes(15).toString('base64url'), role };
}
