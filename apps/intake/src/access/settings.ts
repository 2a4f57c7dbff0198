import { integer, setting } from '@rubrica/process/config';
import { z } from 'zod';

export const tokenSettings = z.object({
  lifetimeSeconds: setting(integer({ min: 60, max: 86_400 }).default(1_800), {
    env: 'TOKEN_LIFETIME_SECONDS',
    about: "life of a partner's access token",
  }),
});

export type TokenSettings = z.output<typeof tokenSettings>;

export const sessionSettings = z.object({
  name: setting(z.string().min(1).max(60).default('Rubrica'), {
    env: 'OPERATOR_SIGN_IN_NAME',
    about: "what operators' authenticators show as the place that they sign in at",
  }),
  accessSeconds: setting(integer({ min: 60, max: 3_600 }).default(600), {
    env: 'OPERATOR_TOKEN_LIFETIME_SECONDS',
    about: "life of an operator's access token",
  }),
  lifeHours: setting(integer({ min: 1, max: 168 }).default(12), {
    env: 'OPERATOR_SESSION_HOURS',
    about: "hours after which an operator's session ends, however often its tokens are renewed",
  }),
});

export type SessionSettings = z.output<typeof sessionSettings>;

export const approvalRules = z.object({
  dualControl: setting(z.enum(['required', 'off']).default('required'), {
    env: 'DUAL_CONTROL',
    about:
      '`required`: what loosens a rule takes two administrators, in all services. `off`: one is enough; the overview warns of it',
  }),
});
export type ApprovalRules = z.output<typeof approvalRules>;
