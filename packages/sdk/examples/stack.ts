import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `npm start` says what is running. Yours come from wherever you keep your secrets. */
const home = process.env.RUBRICA_HOME ?? join(import.meta.dirname, '..', '..', '..', '.rubrica');
const stack = JSON.parse(readFileSync(join(home, 'stack.json'), 'utf8'));

export const baseUrl: string = stack.baseUrl;
export const partner: { clientId: string; clientSecret: string; webhookSecret: string } =
  stack.partners.sandbox;
