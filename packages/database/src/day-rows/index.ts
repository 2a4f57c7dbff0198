export { type DayRows, dayBegins, dayEnds, dueDaySql, namedDaySql, noteDaySql } from './day-rows.ts';
export { bucketSql, countEntries, type Histogram, percentileMs } from './histogram.ts';
