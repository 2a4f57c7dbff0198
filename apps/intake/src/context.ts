import { orUnavailable } from '@rubrica/app/database';
import { type BaseContext, createServiceTrpc } from '@rubrica/service';
import type { Dependencies } from './dependencies.ts';

export type IntakeContext = Omit<BaseContext, 'logger'> & Dependencies;

const trpc = createServiceTrpc<IntakeContext>();

export const { router, asOperator, asPartner, asService } = trpc;

export const procedure = trpc.procedure.use(async ({ next }) => orUnavailable(await next()));
