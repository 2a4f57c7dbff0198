import { randomBytes } from 'node:crypto';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { IntakeDeps } from '../../context.ts';
import { sha256Hex } from '../../sha256-hex.ts';
import { OperatorRecoveryCodeEntity } from './factor.entity.ts';
import { base32 } from './totp.ts';

const codes = 10;
const codeBytes = 10;

/** New codes in place of all that an operator had. They have 80 random bits, so a fast hash holds. */
export async function renewRecoveryCodes(
  em: EntityManager,
  operatorId: string,
  { newId }: Pick<IntakeDeps, 'newId'>,
): Promise<string[]> {
  await em.nativeDelete(OperatorRecoveryCodeEntity, { operatorId });
  const made = Array.from({ length: codes }, () => base32(randomBytes(codeBytes)));
  for (const code of made)
    em.create(OperatorRecoveryCodeEntity, {
      id: newId(),
      operatorId,
      codeSha256: hashOf(operatorId, code),
      usedAt: null,
    });
  return made.map(inGroups);
}

/** @returns whether it was one of the operator's that was not used before; from now on it was */
export async function useRecoveryCode(
  em: EntityManager,
  { operatorId, code, now }: { readonly operatorId: string; readonly code: string; readonly now: Date },
): Promise<boolean> {
  const unused = { operatorId, codeSha256: hashOf(operatorId, code), usedAt: null };
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const found = await em.findOne(OperatorRecoveryCodeEntity, unused, { lockMode });
  if (!found) return false;
  found.usedAt = now;
  return true;
}

function hashOf(operatorId: string, code: string): string {
  return sha256Hex(`${operatorId}:${code}`);
}

function inGroups(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-');
}
