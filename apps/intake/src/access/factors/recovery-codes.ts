import { createHash, randomBytes } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { isUuidv7 } from '@rubrica/process';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { OperatorRecoveryCodeEntity } from './factor.entity.ts';
import { encodeBase32 } from './totp.ts';

const codes = 10;
const codeBytes = 10;

/**
 * New codes in place of all that an operator had. They have 80 random bits, so a fast hash holds.
 * @param appId factor that they stand in for; their ids follow from it, so that they count for no other
 */
export async function renewRecoveryCodes(
  em: EntityManager,
  operatorId: string,
  appId: string,
): Promise<string[]> {
  await em.nativeDelete(OperatorRecoveryCodeEntity, { operatorId });
  const made = Array.from({ length: codes }, () => encodeBase32(randomBytes(codeBytes)));
  for (const [index, code] of made.entries())
    em.create(OperatorRecoveryCodeEntity, {
      id: idOfCode(appId, index),
      operatorId,
      codeSha256: hashOf(operatorId, code),
      usedAt: null,
    });
  return made.map(inGroups);
}

interface EnteredCode {
  readonly operatorId: string;
  /** The app that is enrolled. */
  readonly appId: string;
  readonly code: string;
  readonly now: Date;
}

/** @returns whether it was one of those of the app that was not used before; from now on it was */
export async function useRecoveryCode(
  em: EntityManager,
  { operatorId, appId, code, now }: EnteredCode,
): Promise<boolean> {
  const unused = { operatorId, codeSha256: hashOf(operatorId, code), usedAt: null };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const same = await em.find(OperatorRecoveryCodeEntity, unused, { lockMode, orderBy: { id: 'asc' } });
  const found = same.find(({ id }) => isCodeOfApp(id, appId));
  if (!found) return false;
  found.usedAt = now;
  return true;
}

/** A UUID version 8 (RFC 9562 §5.8): the MAC of a row covers its id, in the release before too. */
function idOfCode(appId: string, index: number): string {
  const bytes = createHash('sha256').update(`recovery code ${index} of ${appId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}

/** The release before gave its codes ids by time: those of the app are younger than the app. */
function isCodeOfApp(id: string, appId: string): boolean {
  if (isUuidv7(id)) return id > appId;
  return Array.from({ length: codes }, (_, index) => idOfCode(appId, index)).includes(id);
}

function hashOf(operatorId: string, code: string): string {
  return sha256Hex(`${operatorId}:${code}`);
}

function inGroups(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-');
}
