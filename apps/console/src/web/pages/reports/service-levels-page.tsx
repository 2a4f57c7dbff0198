import { Link } from '@tanstack/react-router';
import { CsvLink } from '../../parts/csv-link.tsx';
import { SearchPage } from '../../parts/search-page.tsx';
import { useTexts } from '../../texts/texts.ts';
import { LevelsPlot } from './levels-plot.tsx';
import { useLevelColumns } from './report-columns.tsx';
import { reportTexts } from './report-texts.ts';
import { useReportFilters } from './use-report-filters.ts';

export default function ServiceLevelsPage() {
  const t = useTexts(reportTexts);
  return (
    <SearchPage
      title={t.levels}
      about={t.levelsAbout}
      procedure="reports.serviceLevels"
      actions={
        <>
          <CsvLink file="service-levels" />
          <Link to="/usage">{t.usage}</Link>
        </>
      }
      filters={useReportFilters()}
      columns={useLevelColumns()}
      rowId={({ partnerId }) => partnerId}
      plot={(rows) => <LevelsPlot rows={rows} />}
      whenEmpty={<p>{t.empty}</p>}
    />
  );
}
