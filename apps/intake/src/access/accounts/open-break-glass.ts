import type { EntityManager } from '@mikro-orm/postgresql';
import { recordAudit } from '@rubrica/audit/log';
import type { Database } from '@rubrica/database/connection';
import { statement } from '@rubrica/database/statement';
import type { AccessDeps } from '../deps.ts';
import { openInvitation } from '../invitations/open-invitation.ts';
import { sendLetter } from '../letters/send-letter.ts';
import { breakGlassOperator } from '../operators/break-glass-operator.ts';
import { type Operator, OperatorEntity } from '../operators/operator.entity.ts';

type OpenBreakGlassDeps = Pick<AccessDeps, 'keyring' | 'newId' | 'clock' | 'rows'> & {
  readonly database: Database;
};

export interface OpenedBreakGlass {
  /** Token of the link, which works once. */
  readonly token: string;
  readonly expiresAt: Date;
  /** Number of enabled administrators, each of whom is notified by mail. */
  readonly told: number;
}

const action = 'operators.breakGlass';

/**
 * Creates a link to a break-glass session. The audit log records it before it exists; sessions by an earlier
 * link end.
 * @param who user that runs the command, as the machine names it
 */
export async function openBreakGlass(deps: OpenBreakGlassDeps, who: string): Promise<OpenedBreakGlass> {
  const { database, clock } = deps;
  await database.transaction((em) =>
    recordAudit(em, { actor: `machine:${who}`, action, target: `operator:${breakGlassOperator.id}` }),
  );
  const administrators = await enabledAdministrators(deps);
  return database.transaction(async (em) => {
    await takeBackForged(em, deps);
    const operator = await prepareOperator(em, clock());
    const opened = await openInvitation(em, { operator, kind: 'breakGlass' }, deps);
    const letter = { template: 'break-glass', language: 'es', causedBy: who, secret: action } as const;
    for (const administrator of administrators)
      await sendLetter(em, { ...letter, operator: administrator, goodUntil: opened.expiresAt }, deps);
    return { ...opened, told: administrators.length };
  });
}

/**
 * Finds the enabled administrators. An administrator whose row was written past this service is not notified,
 * and does not block the command.
 */
async function enabledAdministrators({ database, rows }: Pick<OpenBreakGlassDeps, 'database' | 'rows'>) {
  const others = { role: 'admin', enabled: true, id: { $ne: breakGlassOperator.id } } as const;
  const found = await rows.forShowing(database.fork()).find(OperatorEntity, others);
  return found.filter((administrator) => !rows.hasFailed(administrator));
}

const findStored = statement<{ readonly id: string }, { readonly stored: Readonly<Record<string, unknown>> }>(
  {
    name: 'stored-break-glass-operator',
    sql: 'select to_jsonb(operator) as stored from operator where id = :id for update',
  },
);
const takeBack = statement<{
  readonly id: string;
  readonly email: string;
  readonly gen: number;
  readonly version: number;
  readonly mac: string;
}>({
  name: 'take-back-break-glass-operator',
  sql: `update operator set email = :email, password_hash = null, role = 'admin', enabled = true, gen = :gen, made_by = '[]',
    version = :version, mac = :mac where id = :id`,
});

const freeEmail = statement<{ readonly id: string; readonly email: string }>({
  name: 'free-break-glass-email',
  sql: `update operator set email = id || '@forged.invalid', enabled = false where email = :email and id <> :id`,
});

/** Takes back the row of the break-glass operator where this service has not written it, as the owner of the schema. */
async function takeBackForged(em: EntityManager, { rows }: Pick<OpenBreakGlassDeps, 'rows'>): Promise<void> {
  const { id, email } = breakGlassOperator;
  // Nobody else gets this address, so the database's role has added another row that has it.
  await freeEmail.run(em, { id, email });
  const [existing] = await findStored.run(em, { id });
  if (existing === undefined || rows.isIntact('operator', existing.stored)) return;
  const gen = Number(existing.stored.gen) + 1;
  const row = { id, email, passwordHash: null, role: 'admin', enabled: true, gen, madeBy: [] };
  const guarded = rows.protect('operator', row, Number(existing.stored.version) + 1);
  await takeBack.run(em, { id, email, gen, ...guarded });
}

async function prepareOperator(em: EntityManager, createdAt: Date): Promise<Operator> {
  const existing = await em.findOne(OperatorEntity, { id: breakGlassOperator.id });
  const operator =
    existing ??
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
