import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings from the environment; yours come from your store of secrets. */
const { BASE_URL, CLIENT_ID = '', CLIENT_SECRET = '', WEBHOOK_SECRET = '', RUBRICA_HOME } = process.env;
/** Folder in which `npm start` of the service's own repository records what is running. */
const home = RUBRICA_HOME ?? join(import.meta.dirname, '..', '..', '..', '.rubrica');
const file = join(home, 'stack.json');

const isStackWanted = RUBRICA_HOME !== undefined || BASE_URL === undefined;
const stack = isStackWanted && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

export const baseUrl: string = stack?.baseUrl ?? BASE_URL ?? '';
export const partner: { clientId: string; clientSecret: string; webhookSecret: string } = stack?.partners
  .sandbox ?? { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, webhookSecret: WEBHOOK_SECRET };

if (baseUrl === '') throw new Error('BASE_URL, CLIENT_ID and CLIENT_SECRET are needed in the environment');
