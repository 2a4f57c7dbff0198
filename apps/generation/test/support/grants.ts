import * as grantsContract from '@rubrica/contracts/services/schemas/grants';
import { uuidv7 } from '@rubrica/process/time';
import type { Generation } from './generation.ts';
import { partnerId } from './orders.ts';

type Env = Pick<Generation, 'database' | 'intakePeer'>;

interface Granted {
  readonly purpose?: 'release' | 'purge';
  readonly azp?: 'gateway' | 'notifier';
  /** What else the grant says, or says otherwise. */
  readonly rest?: object;
}

async function serialOf({ database }: Env, requestId: string): Promise<string> {
  const sql = 'select serial from generation.certificate where request_id = $1';
  const [row] = await database.query<{ serial: string }>(sql, [requestId]);
  return row?.serial ?? '4A';
}

/** Fields of a grant, as intake writes them. */
export async function grantFields(
  env: Env,
  requestId: string,
  { purpose = 'release', azp = 'gateway', rest = {} }: Granted = {},
): Promise<object> {
  const iat = Math.floor(Date.now() / 1_000);
  const exp = iat + grantsContract.grantLifeMs / 1_000;
  const serial = await serialOf(env, requestId);
  const granted =
    purpose === 'purge'
      ? { serials: [serial] }
      : { requestId, partnerId, serial, occasion: `retrieval:${requestId}` };
  return { aud: 'generation', azp, jti: uuidv7(), iat, exp, purpose, ...granted, ...rest };
}

/** A grant by the key of intake. */
export async function grantOf(env: Env, requestId: string, granted: Granted = {}): Promise<string> {
  const fields = await grantFields(env, requestId, granted);
  return env.intakePeer.keyring.signStatement(grantsContract.grantType, fields);
}
