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

/** Rows that the services insert where absent and never overwrite. */
export interface Seed {
  readonly partners: readonly PartnerSeed[];
  readonly operators: readonly OperatorSeed[];
  readonly terms: readonly TermsSeed[];
}

/**
 * Raised with every change after which the data of an embedded stack cannot be read any more, and migrations cannot
 * help: 2 since what is sealed is bound to a purpose and an owner; 3 since checkpoints of audit logs are signed by a
 * key of their own, so that earlier ones are no longer believed; 4 since the evidence bucket is write-once; 5 since
 * streams belong to an account of their own, bundles to a partner, and there are two administrators; 6 since an operator's
 * MAC covers who has made the operator, and reviewers' approvals carry one; 7 since a partner's MAC covers the type of its
 * subscribers' keys.
 */
export const currentDataVersion = 7;

/** Every secret of one embedded stack, made on its first start; there are no defaults. */
export interface StackSettings {
  /** Of the data beside it; absent in the first version. */
  readonly dataVersion?: number;
  /** Names this stack where its data lie outside its home. */
  readonly id: string;
  readonly postgresPassword: string;
  readonly database: Readonly<Record<string, { ownerPassword: string; appPassword: string }>>;
  /** By who has a password on the bus: services, provisioning steps, and `operator`, who may see everything. */
  readonly nats: Readonly<Record<string, string>>;
  readonly seed: Seed;
  /** Seals the sessions of the console; absent before there was one. */
  readonly consoleCookieKey?: string;
}

export async function loadSettings(file: string): Promise<StackSettings> {
  const stored = await readJson<StackSettings>(file);
  if (stored?.consoleCookieKey !== undefined) return stored;
  if (stored !== undefined) {
    const completed = { ...stored, consoleCookieKey: cookieKey() };
    await replaceJson(file, completed);
    return completed;
  }
  // Loaded only on the first start: the package brings much that a warm start would wait for.
  const { uuidv7 } = await import('@rubrica/process');
  const made = makeSettings(uuidv7);
  await replaceJson(file, made);
  return made;
}

/** The first rows of the stack in this data folder, also before its first start: for settings that name a partner. */
export async function seedOf(directory: string): Promise<Seed> {
  const home = homeAt(directory);
  await makeHome(home);
  return (await loadSettings(home.settingsFile)).seed;
}

/** Starts with a letter: NATS' configuration would read some all-digit words as numbers. */
function secret(bytes = 24) {
  return `r${randomBytes(bytes).toString('hex')}`;
}

function cookieKey(): string {
  return randomBytes(32).toString('base64url');
}

function makeSettings(newId: () => string): StackSettings {
  const passwords = () => ({ ownerPassword: secret(), appPassword: secret() });
  return {
    dataVersion: currentDataVersion,
    id: randomBytes(8).toString('hex'),
    postgresPassword: secret(),
    database: Object.fromEntries(databaseServices.map((name) => [name, passwords()])),
    nats: Object.fromEntries([...processesOnBus, 'operator'].map((name) => [name, secret()])),
    seed: makeSeed(newId),
    consoleCookieKey: cookieKey(),
  };
}

function makeSeed(newId: () => string): Seed {
  return {
    partners: [
      {
        id: newId(),
        name: 'Aplicaciones Andinas S.A.',
        reviewPolicy: 'automatic',
        ...partner('sandbox', 'PARTNER'),
      },
      {
        id: newId(),
        name: 'Firmas del Pacífico Cía. Ltda.',
        reviewPolicy: 'manual',
        ...partner('otp', 'ONE_TIME_PASSWORD'),
      },
      {
        id: newId(),
        name: 'Cooperativa Chimborazo',
        reviewPolicy: 'four-eyes',
        ...partner('other', 'PARTNER'),
      },
    ],
    operators: [
      { id: newId(), ...operator('admin', 'admin') },
      { id: newId(), ...operator('admin2', 'admin') },
      { id: newId(), ...operator('reviewer', 'reviewer') },
      { id: newId(), ...operator('reviewer2', 'reviewer') },
      { id: newId(), ...operator('viewer', 'viewer') },
    ],
    terms: [{ id: newId(), type: 'TRADITIONAL_SIGNATURE', version: '1.0', content: termsText, active: true }],
  };
}

function partner(
  key: PartnerSeed['key'],
  passwordConfiguration: PartnerSeed['passwordConfiguration'],
): Omit<PartnerSeed, 'id' | 'name' | 'reviewPolicy'> {
  return {
    key,
    clientId: `${key}-${randomBytes(6).toString('hex')}`,
    clientSecret: randomBytes(32).toString('base64url'),
    // Standard Webhooks: 24 to 64 random bytes, base64, prefixed.
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    passwordConfiguration,
    email: `${key}@partners.rubrica.test`,
  };
}

function operator(key: OperatorSeed['key'], role: OperatorSeed['role']): Omit<OperatorSeed, 'id'> {
  return { key, email: `${key}@rubrica.test`, password: randomBytes(15).toString('base64url'), role };
}
