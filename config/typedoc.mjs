import { readFileSync } from 'node:fs';
import { Converter, ReflectionKind } from 'typedoc';

/** The pages' titles by the names of their files, in the groups and the order of the sidebar. */
const groups = JSON.parse(readFileSync(new URL('../docs/reference/pages.json', import.meta.url), 'utf8'));
const titles = Object.assign({}, ...Object.values(groups));

/** Whether a member is one that a type may not have, such as `africa` of an account in the US. */
const isForbidden = ({ type, comment }) =>
  type?.type === 'intrinsic' && ['never', 'undefined'].includes(type.name) && comment === undefined;

/**
 * Leaves inherited members to the page of the type that declares them: "Extends" links to it.
 *
 * @param {import('typedoc').Application} app
 */
function withoutInherited(app) {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const member of project.getReflectionsByKind(ReflectionKind.SomeMember)) {
      const declared = member.inheritedFrom?.reflection;
      if (declared !== undefined || isForbidden(member)) project.removeReflection(member);
    }
  });
}

/**
 * The API reference as Markdown for the site: one page for each file of docs/reference, which list the public symbols by
 * resource.
 *
 * @type {import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions}
 */
export default {
  name: 'stablecoin-payments',
  entryPoints: Object.keys(titles).map((page) => `../docs/reference/${page}.ts`),
  tsconfig: '../docs/reference/tsconfig.json',
  plugin: ['typedoc-plugin-markdown', withoutInherited],
  out: '../docs/api',
  readme: 'none',
  router: 'module',
  entryFileName: 'index',
  outputFileStrategy: 'modules',
  sort: ['kind', 'instance-first', 'alphabetical'],
  kindSortOrder: ['Function', 'Class', 'Interface', 'TypeAlias', 'Enum', 'Variable', 'Reference'],
  pageTitleTemplates: { module: ({ name }) => titles[name] ?? name },
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: true,
  useCodeBlocks: true,
  expandObjects: true,
  expandParameters: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  enumMembersFormat: 'table',
  tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true, hideModifiers: true },
  disableSources: true,
  includeVersion: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeInternal: true,
  excludeExternals: true,
  githubPages: false,
  skipErrorChecking: true,
  treatWarningsAsErrors: true,
  // Parts of public types that a user never names.
  intentionallyNotExported: [
    'AccountHolder',
    'AccountHolderParams',
    'AccountRailName',
    'Address',
    'AddressedAccountHolderParams',
    'AfricaAccount',
    'AfricaAccountParams',
    'ApiMethod',
    'ApprovalVote',
    'BridgeDestinationParams',
    'BridgeParty',
    'BridgeReceipt',
    'BridgeSourceParams',
    'DepositBeneficiary',
    'DepositRail',
    'DeveloperFee',
    'EmulatedOnrampSource',
    'Failure',
    'FeeParams',
    'GivenAmount',
    'KindsOf',
    'KycBeneficialOwner',
    'MetricMetadata',
    'MetricPeriod',
    'MetricRow',
    'Not',
    'OfframpDestination',
    'OfframpDeveloperFee',
    'OfframpOptions',
    'OfframpPayerParams',
    'OfframpReceipt',
    'OfframpRecipientParams',
    'OfframpSource',
    'OlderKind',
    'OnrampDestination',
    'OnrampDestinationParams',
    'OnrampOptions',
    'OnrampOrStatus',
    'OnrampPayerParams',
    'OnrampReceipt',
    'OnrampSource',
    'OpenAmount',
    'Parser',
    'PartyUser',
    'QuoteAmount',
    'RegionalAccount',
    'RegionalAccountParams',
    'RegionalAccountType',
    'FastifyReply',
    'Request',
    'RequestBody',
    'RequestMethod',
    'StandardResult',
    'TRANSFER_TYPES',
    'TransferBatchDestination',
    'TransferBatchDestinationParams',
    'TransferDestinationParams',
    'TransferListOptions',
    'TransferPageReader',
    'TransferParty',
    'TransferRange',
    'TransferReceipt',
    'TransferSourceParams',
    'UnlistedAccountCreateParams',
    'UsAccount',
    'UsAccountParams',
    'UsInternationalAccountParams',
    'webhookEventTypes',
    'With',
    'WithoutDetails',
    'Written',
    'otherKinds',
    'ValueOf',
    'offrampOnly',
    'Stream',
    'CloseWindow',
  ],
  validation: { notExported: true, invalidLink: true, notDocumented: true },
};
