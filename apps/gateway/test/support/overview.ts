import { statuses } from '@rubrica/contracts/shared/enumerations';

type Counts = Record<(typeof statuses)[number], number>;

export function overviewOf() {
  const requests = Object.fromEntries(statuses.map((status) => [status, 1])) as Counts;
  const counts = { requests, registeredLastDay: 7, generatedLastDay: 5, isComplete: true };
  return {
    ...counts,
    oldestUnfinishedAt: null,
    trend: { hours: [], days: [] },
    warnings: [],
    faultyEvidence: [],
  };
}
