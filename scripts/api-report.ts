/**
 * Compares the public names and types of every entry with docs/api-report, by api-extractor: `npm run api`. A change
 * fails, and `npm run api -- --write` accepts it.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ConsoleMessageId, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const reportFolder = `${root}docs/api-report`;
const reportTempFolder = `${root}node_modules/.cache/api-report`;
const writes = process.argv.includes('--write');
mkdirSync(reportTempFolder, { recursive: true });

const changed: string[] = [];
const surplus = new Set(readdirSync(reportFolder));
for (const [path, target] of Object.entries(manifest.exports)) {
  if (typeof target === 'string') continue;
  const report = `${path === '.' ? 'index' : path.slice(2).replaceAll('/', '-')}.api.md`;
  surplus.delete(report);
  const types = target.require.types;
  const extractorConfig = ExtractorConfig.prepare({
    packageJsonFullPath: `${root}package.json`,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: root + types,
      compiler: { overrideTsconfig: { extends: './tsconfig.json', include: [], files: [types] } },
      // Types without an export are listed, too: they are parts of exported ones.
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder,
        reportTempFolder,
        includeForgottenExports: true,
      },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const { apiReportChanged, errorCount } = Extractor.invoke(extractorConfig, {
    localBuild: writes,
    printApiReportDiff: !writes,
    messageCallback: (message) => {
      if (message.category !== 'console') return;
      message.handled = message.messageId !== ConsoleMessageId.ApiReportDiff;
    },
  });
  if (errorCount > 0) throw new Error(`${types} cannot be read: run \`npm run build\`.`);
  if (apiReportChanged) changed.push(report);
}
if (writes) for (const file of surplus) rmSync(`${reportFolder}/${file}`);

const differing = [...changed, ...surplus].map((file) => `docs/api-report/${file}`);
if (differing.length === 0) console.log('The public names and types are those of docs/api-report.');
else if (writes) console.log(`Written: ${differing.join(', ')}`);
else {
  console.error(
    `The public names and types differ from ${differing.join(', ')}. If you meant that, run \`npm run api -- --write\` and say in CHANGELOG.md what changes for users.`,
  );
  process.exitCode = 1;
}
