import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { type RevocationReason, revocationReasons } from '@rubrica/contracts/shared/enumerations';
import { toOperatorsRow } from '../certificate/certificate-view.ts';
import { type CertificateName, certificates } from '../certificate/certificates.repository.ts';
import { asOperator, type GenerationContext, procedure } from '../context.ts';
import type { StatusChange } from './decide-change.ts';

const revoke = operatorProcedures['certificates.revoke'];
const hold = operatorProcedures['certificates.hold'];
const release = operatorProcedures['certificates.release'];

interface Wanted {
  readonly input: CertificateName & { readonly reason?: string | undefined };
  readonly email: string;
  readonly change: StatusChange;
}

async function change(ctx: GenerationContext, { input, email, change }: Wanted) {
  const changed = await ctx.changeStatus(() => certificates(ctx.database.fork()).named(input), {
    change,
    actor: `operator:${email}`,
    comment: input.reason,
  });
  return toOperatorsRow(changed, ctx.clock());
}

const isRevocationReason = (text: string | undefined): text is RevocationReason =>
  revocationReasons.some((reason) => reason === text);

export const revokeCertificateProcedure = procedure
  .use(asOperator(revoke.role))
  .input(revoke.input)
  .output(revoke.output)
  .mutation(({ ctx, input }) => {
    const said = isRevocationReason(input.reason) ? input.reason : 'unspecified';
    const reason = input.revocationReason ?? said;
    return change(ctx, { input, email: ctx.caller.email, change: { kind: 'revoke', reason } });
  });

export const holdCertificateProcedure = procedure
  .use(asOperator(hold.role))
  .input(hold.input)
  .output(hold.output)
  .mutation(({ ctx, input }) => change(ctx, { input, email: ctx.caller.email, change: { kind: 'hold' } }));

export const releaseCertificateProcedure = procedure
  .use(asOperator(release.role))
  .input(release.input)
  .output(release.output)
  .mutation(({ ctx, input }) => change(ctx, { input, email: ctx.caller.email, change: { kind: 'release' } }));
