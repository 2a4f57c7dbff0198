import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateServiceKeys, uuidv7 } from '@rubrica/process';
import { serviceNames } from '../setup/services.ts';

export interface MadeSecrets {
  readonly files: readonly string[];
  readonly administrator: { readonly email: string; readonly password: string };
}

/**
 * Every secret of a deployment by `compose.yaml`, into `folder`: key files below `secrets/`, passwords in `.env`
 * (after `.env.example`). Existing files are never replaced: with `EEXIST` nothing of theirs has changed.
 */
export async function makeSecrets(folder: string): Promise<MadeSecrets> {
  const secrets = join(folder, 'secrets');
  await mkdir(secrets, { mode: 0o700 });
  const administrator = { email: 'admin@rubrica.test', password: randomBytes(15).toString('base64url') };
  const contents = { ...makeKeys(), seed: makeSeed(administrator) };
  const files: string[] = [];
  for (const [name, content] of Object.entries(contents)) {
    const path = join(secrets, `${name}.json`);
    // Readable by the container's user, whose number differs from ours; the folder keeps others out.
    await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o644, flag: 'wx' });
    files.push(path);
  }
  const environment = fillPasswords(await readFile(join(folder, '.env.example'), 'utf8'));
  await writeFile(join(folder, '.env'), environment, { mode: 0o600, flag: 'wx' });
  return { files: [...files, join(folder, '.env')], administrator };
}

function makeKeys(): Record<string, unknown> {
  const made = serviceNames.map((service) => [service, generateServiceKeys(service)] as const);
  return {
    ...Object.fromEntries(made.map(([service, { privateJwks }]) => [service, privateJwks])),
    peers: Object.fromEntries(made.map(([service, { publicJwks }]) => [service, publicJwks])),
  };
}

function makeSeed({ email, password }: MadeSecrets['administrator']): unknown {
  return { partners: [], operators: [{ id: uuidv7(), email, password, role: 'admin' }], terms: [] };
}

/** Fills the passwords left empty; they begin with a letter, which nats-server's configuration needs. */
function fillPasswords(example: string): string {
  return example.replace(
    /^([A-Z_]+_PASSWORD)=$/gm,
    (_, name) => `${name}=r${randomBytes(24).toString('hex')}`,
  );
}
