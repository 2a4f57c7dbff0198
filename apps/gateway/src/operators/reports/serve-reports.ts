import { Readable } from 'node:stream';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { AppError } from '@rubrica/process/errors';
import { invalidInput, type OperatorCaller } from '@rubrica/process/trpc';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limit } from '../../http/rate-limits.ts';
import type { Forward } from '../forward.ts';
import type { IdentifyOperator } from '../identify-operator.ts';
import { byteOrderMark, formatCsvLine } from './csv.ts';
import { type CsvReport, csvReports } from './csv-reports.ts';

export interface ReportsDeps {
  readonly forward: Forward;
  readonly identify: IdentifyOperator;
  /** Limit for unauthenticated callers. */
  readonly limit: Limit | undefined;
}

interface Page {
  readonly items: readonly never[];
  readonly nextCursor: string | null;
}
type ReadPage = (cursor: string | null) => Promise<Page>;

/** Maximum page size of a procedure. */
const pageItems = 100;

/**
 * Serves `GET /reports/{name}.csv`: all pages of a procedure as a table, for an operator with a token, with the
 * procedure's own filters. The next page is requested when the reader has consumed the previous one, and none after it
 * disconnects. Each request uses the token, so a revoked permission ends the file: it is complete only if the answer
 * ends normally.
 */
export function serveReports(app: FastifyInstance, deps: ReportsDeps): void {
  app.get<{ Params: { report: string } }>(
    '/reports/:report',
    {
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        request.caller = await deps.identify(request.headers.authorization);
        if (request.caller.kind === 'public') await deps.limit?.(request, reply);
      },
    },
    async (request, reply) => {
      const { report: name } = request.params;
      const report = Object.hasOwn(csvReports, name) ? csvReports[name] : undefined;
      if (report === undefined) throw new AppError({ code: 'ROUTE_NOT_FOUND' });
      const readPage = createReadPage(report, request, deps);
      // Requested before the first line, so that a refusal is a separate answer.
      const first = await readPage(null);
      return reply
        .header('content-type', 'text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(
          Readable.from(generateText(report, first, readPage), {
            objectMode: false,
            highWaterMark: 16 * 1024,
          }),
        );
    },
  );
}

/**
 * Creates the reader of pages.
 * @throws AppError UNAUTHENTICATED, FIELD_INVALID
 */
function createReadPage(report: CsvReport, request: FastifyRequest, { forward }: ReportsDeps): ReadPage {
  const { caller, query } = request;
  if (caller.kind !== 'operator')
    throw new AppError({
      code: 'UNAUTHENTICATED',
      text: createText('access.operatorTokenRequired'),
    });
  const { path } = report;
  // The page limits are set here.
  const { limit: _limit, cursor: _cursor, ...filters } = query as Readonly<Record<string, unknown>>;
  const parsedInput = operatorProcedures[path].input.safeParse({ ...filters, limit: pageItems });
  if (!parsedInput.success) throw invalidInput(parsedInput.error);
  const call = { caller: caller as OperatorCaller, token: caller.sealedToken, signal: request.signal };
  return (cursor) =>
    forward(
      path,
      { ...(parsedInput.data as object), ...(cursor === null ? {} : { cursor }) },
      call,
    ) as Promise<Page>;
}

async function* generateText(report: CsvReport, first: Page, readPage: ReadPage): AsyncGenerator<string> {
  yield byteOrderMark + formatCsvLine(report.columns);
  let page = first;
  while (true) {
    const lines = page.items.flatMap((item) => report.lines(item)).map(formatCsvLine);
    if (lines.length > 0) yield lines.join('');
    if (page.nextCursor === null) return;
    page = await readPage(page.nextCursor);
  }
}
