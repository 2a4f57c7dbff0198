import { Readable } from 'node:stream';
import { createText } from '@rubrica/contracts/error-texts/create-text';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { AppError, invalidInput, type OperatorCaller } from '@rubrica/process';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Limit } from '../../http/rate-limits.ts';
import type { Forward } from '../forward.ts';
import type { IdentifyOperator } from '../identify-operator.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import { type CsvReport, csvReports } from './csv-reports.ts';

export interface ReportsDeps {
  readonly forward: Forward;
  readonly identify: IdentifyOperator;
  /** Of callers who are not signed in. */
  readonly limit: Limit | undefined;
}

interface Page {
  readonly items: readonly never[];
  readonly nextCursor: string | null;
}
type ReadPage = (cursor: string | null) => Promise<Page>;

/** The most that a procedure gives at once. */
const pageItems = 100;

/**
 * `GET /reports/{name}.csv`: all pages of a procedure as a table, for an operator with a token, by the procedure's own
 * filters. The next page is asked for when the reader has taken the one before, and none once he has gone. Each is asked
 * for with the token, so that a right that ends ends the file: it is whole where the answer ends in order.
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
      const readPage = pagesOf(report, request, deps);
      // What is refused is refused as an answer of its own, before the first line.
      const first = await readPage(null);
      return reply
        .header('content-type', 'text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(
          Readable.from(textOf(report, first, readPage), { objectMode: false, highWaterMark: 16 * 1024 }),
        );
    },
  );
}

/** @throws AppError UNAUTHENTICATED, FIELD_INVALID */
function pagesOf(report: CsvReport, request: FastifyRequest, { forward }: ReportsDeps): ReadPage {
  const { caller, query } = request;
  if (caller.kind !== 'operator')
    throw new AppError({
      code: 'UNAUTHENTICATED',
      text: createText('access.operatorTokenRequired'),
    });
  const { path } = report;
  // Where a page ends is decided here.
  const { limit: _limit, cursor: _cursor, ...filters } = query as Readonly<Record<string, unknown>>;
  const read = operatorProcedures[path].input.safeParse({ ...filters, limit: pageItems });
  if (!read.success) throw invalidInput(read.error);
  const call = { caller: caller as OperatorCaller, token: caller.sealedToken, signal: request.signal };
  return (cursor) =>
    forward(
      path,
      { ...(read.data as object), ...(cursor === null ? {} : { cursor }) },
      call,
    ) as Promise<Page>;
}

async function* textOf(report: CsvReport, first: Page, readPage: ReadPage): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(report.columns);
  let page = first;
  while (true) {
    const lines = page.items.flatMap((item) => report.lines(item)).map(csvLine);
    if (lines.length > 0) yield lines.join('');
    if (page.nextCursor === null) return;
    page = await readPage(page.nextCursor);
  }
}
