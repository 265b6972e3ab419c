import type { ApprovalDecisionParams, ApprovalListParams, ApprovalRejectParams } from './approvals.ts';
import { anyText, matching, maybe, object, wholeNumber } from './param.ts';
import { lazy } from './response-shape.ts';

/** The spec counts characters: a pair of surrogates is one. */
const comment = /* @__PURE__ */ lazy(() =>
  maybe(matching(/^.{0,1000}$/su, 'must be a string of at most 1000 characters')),
);

export const approvalDecisionParams = /* @__PURE__ */ lazy(() =>
  object<ApprovalDecisionParams>({ comment: comment() }),
);

export const approvalRejectParams = /* @__PURE__ */ lazy(() =>
  object<ApprovalRejectParams>({ comment: comment(), reason: maybe(anyText()) }),
);

export const approvalListParams = /* @__PURE__ */ lazy(() =>
  object<ApprovalListParams>({ limit: maybe(wholeNumber(1, 100)), offset: maybe(wholeNumber(0)) }),
);
