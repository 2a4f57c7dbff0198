import { createHash, randomBytes } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { findIntact } from '@rubrica/database/guarded';
import { isUuidv7 } from '@rubrica/process/time';
import { sha256Hex } from '../../base/sha256-hex.ts';
import { OperatorRecoveryCodeEntity } from './factor.entity.ts';
import { encodeBase32 } from './totp.ts';

const codeCount = 10;
const codeBytes = 10;

/**
 * Replaces all recovery codes of an operator. They have 80 random bits, so a fast hash suffices.
 * @param appId factor that they replace; their ids are derived from it, so that they count for no other
 */
export async function renewRecoveryCodes(
  em: EntityManager,
  operatorId: string,
  appId: string,
): Promise<string[]> {
  await em.nativeDelete(OperatorRecoveryCodeEntity, { operatorId });
  const plainCodes = Array.from({ length: codeCount }, () => encodeBase32(randomBytes(codeBytes)));
  for (const [index, code] of plainCodes.entries())
    em.create(OperatorRecoveryCodeEntity, {
      id: deriveCodeId(appId, index),
      operatorId,
      codeSha256: hashCode(operatorId, code),
      usedAt: null,
    });
  return plainCodes.map(formatCode);
}

interface EnteredCode {
  readonly operatorId: string;
  /** Enrolled app. */
  readonly appId: string;
  readonly code: string;
  readonly now: Date;
}

/** Uses up a recovery code of the app. @returns true if it was valid and unused */
export async function useRecoveryCode(
  em: EntityManager,
  { operatorId, appId, code, now }: EnteredCode,
): Promise<boolean> {
  const unused = { operatorId, codeSha256: hashCode(operatorId, code), usedAt: null };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const matching = await findIntact(em, OperatorRecoveryCodeEntity, unused, {
    lockMode,
    orderBy: { id: 'asc' },
  });
  const found = matching.find(({ id }) => isCodeOfApp(id, appId));
  if (!found) return false;
  found.usedAt = now;
  return true;
}

/**
 * Derives the id of a code, a UUID version 8 (RFC 9562 §5.8). The MAC of a row covers its id, also in the
 * previous release.
 */
function deriveCodeId(appId: string, index: number): string {
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

/**
 * Returns whether a code belongs to the app. The previous release gave its codes ids by time: those of the
 * app are younger than the app.
 */
function isCodeOfApp(id: string, appId: string): boolean {
  if (isUuidv7(id)) return id > appId;
  return Array.from({ length: codeCount }, (_, index) => deriveCodeId(appId, index)).includes(id);
}

function hashCode(operatorId: string, code: string): string {
  return sha256Hex(`${operatorId}:${code}`);
}

function formatCode(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-');
}
