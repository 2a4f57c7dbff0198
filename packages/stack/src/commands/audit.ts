import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { builtServices } from '@rubrica/build';
import { defaultHome, homeAt } from '../setup/home.ts';
import { peersFile, privateKeysFile } from '../setup/keys.ts';
import { databaseServices } from '../setup/services.ts';
import { readArguments, UsageError } from '../terminal/arguments.ts';
import type { Command, CommandContext } from './command.ts';
import { findDatabaseUrl } from './database-access.ts';

/** Services with a database; each keeps a chained audit log of its decisions. */
const auditedServices = databaseServices;
type AuditedService = (typeof auditedServices)[number];

export const audit: Command = {
  name: 'audit',
  summary: 'verify the audit logs of the running stack',
  help: `npm run audit -- verify [--service <name>] [--from <place>]
                        [--checkpoint <jws>]… [--json]

Verifies the chained audit logs of the stack that runs in the data folder
(RUBRICA_HOME, else .rubrica): every place, hash, link and signed checkpoint.

  --service     ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(auditedServices)}; all unless given
  --from        first place to look at; the row before it is taken for granted
  --checkpoint  one that was kept elsewhere (log lines "audit checkpoint" hold
                them); may be given several times; needs --service
  --json        one JSON object per log and line

Exits with 0 if all is intact, 1 if something was tampered with, 2 if it could
not look. Elsewhere: node main.mjs verify-audit in the service's image with
DATABASE_URL, PEERS_FILE and KEYS_FILE, and the same arguments but --service;
without KEYS_FILE it does not check MACs, says so and exits with 3.`,
  async run({ args, env, output }: CommandContext): Promise<number> {
    const [verb, ...rest] = args;
    if (verb !== 'verify')
      throw new UsageError(`"${verb ?? ''}" is not something that audit can do; verify is.`);
    const { services, passed } = readVerifyArguments(rest);
    const home = homeAt(defaultHome(env));
    const codes: number[] = [];
    for (const service of services) {
      const url = await findDatabaseUrl(home, service);
      if (url === undefined) {
        output.line('  Could not look: no stack is running here. "npm start" brings it up.');
        return 2;
      }
      const files = { PEERS_FILE: peersFile(home), KEYS_FILE: privateKeysFile(home, service) };
      codes.push(await verify(service, passed, { ...env, DATABASE_URL: url, ...files }));
    }
    if (codes.includes(1)) return 1;
    return codes.every((code) => code === 0) ? 0 : 2;
  },
};

function readVerifyArguments(args: readonly string[]): {
  services: readonly AuditedService[];
  passed: string[];
} {
  const { values } = readArguments(args, {
    service: { type: 'string' },
    from: { type: 'string' },
    checkpoint: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  });
  const named = auditedServices.find((service) => service === values.service);
  if (values.service !== undefined && named === undefined) {
    throw new UsageError(`--service takes one of ${auditedServices.join(', ')}; got "${values.service}".`);
  }
  if (values.checkpoint !== undefined && named === undefined) {
    throw new UsageError('--checkpoint needs --service: each service signs its own.');
  }
  const passed = [
    ...(values.from === undefined ? [] : [`--from=${values.from}`]),
    ...(values.checkpoint ?? []).map((jws) => `--checkpoint=${jws}`),
    ...(values.json ? ['--json'] : []),
  ];
  return { services: named === undefined ? auditedServices : [named], passed };
}

async function verify(
  service: AuditedService,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const { [service]: folder } = await builtServices();
  const program = join(folder, 'main.mjs');
  const child = spawn(process.execPath, [program, 'verify-audit', ...args], { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 2));
  });
}
