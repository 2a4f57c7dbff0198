import { families } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { uuidv7 } from '@rubrica/process/time';
import type { OperatorUseCase } from '@rubrica/wiring';
import { note } from './fake-intake.ts';
import { type FakeState, partner } from './fake-state.ts';
import { at } from './fake-time.ts';

/** Reports as intake gives them: requests page by page, named by their place. */
export function reportUseCases(state: FakeState) {
  const search: OperatorUseCase<'requests.search'> = (input, call) => {
    note(state, 'requests.search', input, call);
    const page = Number(input.cursor ?? 0);
    if (state.refusesSearches) throw new AppError({ code: 'SERVICE_UNAVAILABLE' });
    const isLast = page + 1 === state.requestPages;
    const items = Array.from({ length: input.limit }, (_, index) => ({
      requestId: uuidv7(),
      family: 'TV' as const,
      partnerId: partner.partnerId,
      referenceTransaction: `=cmd|${page}.${index}`,
      identificationNumber: '1710034065',
      name: 'Ñúñez, "Pepe"',
      status: 'GENERATED' as const,
      validationStatus: 'COMPLETED' as const,
      createdDate: at,
      updatedDate: at,
    }));
    return { items, nextCursor: isLast ? null : String(page + 1) };
  };
  const usage: OperatorUseCase<'reports.usage'> = (input, call) => {
    note(state, 'reports.usage', input, call);
    const counts = { registered: 3, issued: 2, refused: 1, cancelled: 0, expired: 0 };
    const byFamily = Object.fromEntries(families.map((family) => [family, counts])) as never;
    const ofPartner = { partnerId: partner.partnerId, partnerName: '+Partner' };
    return {
      items: [{ month: input.month ?? '2026-11', ...ofPartner, byFamily }],
      nextCursor: null,
      asOf: at,
    };
  };
  return { 'requests.search': search, 'reports.usage': usage };
}
