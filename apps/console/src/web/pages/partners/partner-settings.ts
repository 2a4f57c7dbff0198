import type { OperatorOutput, ProcedureInput } from '../../client/trpc.ts';
import { readQuota } from './quota-form.ts';

type Partner = OperatorOutput<'partners.get'>;

const flags = ['legacyPkcs12', 'envelope', 'holderRenewal', 'enabled', 'clientSecretEnabled'] as const;
const lists = ['scopes', 'events', 'holderReminders'] as const;
const textSettings = ['name', 'email', 'passwordConfiguration', 'reviewPolicy', 'keyType'] as const;

/** Reads the settings of a partner from the form. */
export function readPartnerSettings(form: FormData) {
  const text = (name: string) => String(form.get(name)).trim();
  return {
    ...Object.fromEntries(textSettings.map((name) => [name, text(name)])),
    ...Object.fromEntries(flags.map((name) => [name, form.has(name)])),
    ...Object.fromEntries(lists.map((name) => [name, form.getAll(name).map(String)])),
    quota: readQuota(form),
  } as Pick<
    Partner,
    (typeof textSettings)[number] | (typeof flags)[number] | (typeof lists)[number] | 'quota'
  >;
}

/** Returns only changed settings, so that an approver sees no unchanged ones. */
export function readChangedSettings(partner: Partner, form: FormData): Partial<Omit<Partner, 'logo'>> {
  const entered = readPartnerSettings(form);
  const isSame = (name: keyof typeof entered) =>
    JSON.stringify([entered[name]].flat().sort()) === JSON.stringify([partner[name]].flat().sort());
  const names = Object.keys(entered) as (keyof typeof entered)[];
  return Object.fromEntries(names.filter((name) => !isSame(name)).map((name) => [name, entered[name]]));
}

/** Settings that are not safeguards: one administrator may change them in both directions. */
const singleAdministratorSettings: readonly string[] = [
  'name',
  'envelope',
  'quota',
  'events',
  'holderReminders',
  'holderRenewal',
];

/** Returns the previous values of a change, if the same administrator may restore them. */
export function getPreviousSettings(
  partner: Partner,
  { id, reason: _, ...changes }: ProcedureInput<'partners.update'>,
): ProcedureInput<'partners.update'> | undefined {
  const names = Object.keys(changes) as (keyof typeof changes)[];
  if (!names.every((name) => singleAdministratorSettings.includes(name))) return undefined;
  return { id, ...Object.fromEntries(names.map((name) => [name, partner[name]])) };
}
