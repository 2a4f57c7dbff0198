import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { builtServices } from '@rubrica/build';
import { readJson } from '../setup/files.ts';
import { defaultHome, exists, type Home, homeAt, makeHome } from '../setup/home.ts';
import { ensureKeys, peersFile, privateKeysFile } from '../setup/keys.ts';
import { caRefreshSeconds } from '../stack/environment.ts';
import type { StackInfo } from '../stack/stack-info.ts';
import type { Command, CommandContext } from './command.ts';
import { findDatabaseUrl } from './database-access.ts';

export const ca: Command = {
  name: 'ca',
  summary: 'make, show, rotate and export the certification authority',
  help: undefined,
  async run({ args, env, output }: CommandContext): Promise<number> {
    const asksForHelp = args.length === 0 || args.includes('--help') || args.includes('-h');
    // The machine that keeps the root has its own settings, and none of a service.
    const isRootStep = args[0] === 'root';
    const settings = asksForHelp || isRootStep || env.CA_DIRECTORY ? {} : await embeddedSettings(args, env);
    if (settings === undefined) {
      output.line('\n  There is no stack here yet: "npm start" makes one, or "npm run ca -- init".\n');
      return 1;
    }
    const { generation } = await builtServices();
    const child = spawn(process.execPath, [join(generation, 'main.mjs'), 'ca', ...args], {
      stdio: 'inherit',
      env: { ...settings, ...env },
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  },
};

/**
 * Reads the settings of generation in the embedded stack that the ceremony needs; undefined where no embedded stack
 * exists.
 */
async function embeddedSettings(
  [step]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Record<string, string> | undefined> {
  const home = homeAt(defaultHome(env));
  if (step === 'init') {
    await makeHome(home);
    await ensureKeys(home);
  }
  if (!(await exists(peersFile(home)))) return undefined;
  const databaseUrl = await findDatabaseUrl(home, 'generation');
  return {
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    CA_DIRECTORY: home.certificationAuthority,
    CA_REFRESH_SECONDS: caRefreshSeconds,
    KEYS_FILE: privateKeysFile(home, 'generation'),
    PEERS_FILE: peersFile(home),
    BASE_URL: await readBaseUrl(home, env),
  };
}

/**
 * Reads the address that new certificates name: that of the running stack, else the address that the stack will get.
 */
async function readBaseUrl(home: Home, env: NodeJS.ProcessEnv): Promise<string> {
  const running = await readJson<StackInfo>(home.infoFile);
  return running?.baseUrl ?? `http://127.0.0.1:${env.PORT || '3000'}`;
}
