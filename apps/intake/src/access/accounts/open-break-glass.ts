import type { EntityManager } from '@mikro-orm/postgresql';
import { type Database, recordAudit } from '@rubrica/database';
import type { AccessDeps } from '../deps.ts';
import { openInvitation } from '../invitations/open-invitation.ts';
import { sendLetter } from '../letters/send-letter.ts';
import { breakGlassOperator } from '../operators/break-glass-operator.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';

type Needs = Pick<AccessDeps, 'keyring' | 'newId' | 'clock' | 'rows'> & { readonly database: Database };

export interface OpenedBreakGlass {
  /** Of the link, which works once. */
  readonly token: string;
  readonly expiresAt: Date;
  /** Enabled administrators, each of whom is told by mail. */
  readonly told: number;
}

const action = 'operators.breakGlass';

/**
 * A link for a break-glass session. It stands in the audit log before it is made; sessions by an earlier one end.
 * @param who runs the command, as the machine knows it
 */
export async function openBreakGlass(deps: Needs, who: string): Promise<OpenedBreakGlass> {
  const { database, clock } = deps;
  await database.transaction((em) =>
    recordAudit(em, { actor: `machine:${who}`, action, target: `operator:${breakGlassOperator.id}` }),
  );
  const administrators = await enabledAdministrators(deps);
  return database.transaction(async (em) => {
    const operator = await readyOperator(em, clock());
    const opened = await openInvitation(em, { operator, kind: 'breakGlass' }, deps);
    const letter = { template: 'break-glass', language: 'es', causedBy: who, secret: action } as const;
    for (const administrator of administrators)
      await sendLetter(em, { ...letter, operator: administrator, goodUntil: opened.expiresAt }, deps);
    return { ...opened, told: administrators.length };
  });
}

/** One whose row was written past this service is told nothing, and keeps nobody out on the day it is found. */
async function enabledAdministrators({ database, rows }: Pick<Needs, 'database' | 'rows'>) {
  const others = { role: 'admin', enabled: true, id: { $ne: breakGlassOperator.id } } as const;
  const found = await rows.forShowing(database.fork()).find(OperatorEntity, others);
  return found.filter((administrator) => !rows.hasFailed(administrator));
}

async function readyOperator(em: EntityManager, createdAt: Date): Promise<Operator> {
  const known = await em.findOne(OperatorEntity, { id: breakGlassOperator.id });
  const operator =
    known ??
    em.create(OperatorEntity, {
      ...breakGlassOperator,
      passwordHash: null,
      role: 'admin',
      enabled: true,
      gen: 0,
      madeBy: [],
      createdAt,
    });
  operator.role = 'admin';
  operator.enabled = true;
  operator.gen += 1;
  await em.flush();
  return operator;
}
