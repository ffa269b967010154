/* SPDX-License-Identifier: MIT */
/*
 * The external names of a library of kernels. Names of kernels have its prefix,
 * which libraries with different kernels may share. All other names have a prefix of
 * its own, ISK_OWN, which is that of the kernels unless the build says otherwise. So
 * two libraries may be in one program, and in one archive. Sources write isakern's
 * names; a test finds names that are missing here.
 */
#ifndef ISK_PREFIX_H
#define ISK_PREFIX_H

#include "paste.h"

#ifndef ISK_OWN
#define ISK_OWN ISK_PREFIX
#endif

/* isk_exp_f32 for exp_f32 */
#define ISK_NAME(name)     ISK_PASTE2(ISK_PREFIX, _##name)
/* isk_candidates for candidates */
#define ISK_OWN_NAME(name) ISK_PASTE2(ISK_OWN, _##name)

/* the API */
#define isk_bound          ISK_OWN_NAME(bound)
#define isk_candidates     ISK_OWN_NAME(candidates)
#define isk_isa_binary     ISK_OWN_NAME(isa_binary)
#define isk_isa_count      ISK_OWN_NAME(isa_count)
#define isk_isa_cpu        ISK_OWN_NAME(isa_cpu)
#define isk_isa_current    ISK_OWN_NAME(isa_current)
#define isk_isa_name       ISK_OWN_NAME(isa_name)
#define isk_kernel_count   ISK_OWN_NAME(kernel_count)
#define isk_kernel_find    ISK_OWN_NAME(kernel_find)
#define isk_kernel_info    ISK_OWN_NAME(kernel_info)
#define isk_reference      ISK_OWN_NAME(reference)
#define isk_strerror       ISK_OWN_NAME(strerror)
#define isk_version        ISK_OWN_NAME(version)

/* between the files of the resolver */
#define isk_apply_xcr0     ISK_OWN_NAME(apply_xcr0)
#define isk_ask            ISK_OWN_NAME(ask)
#define isk_choose         ISK_OWN_NAME(choose)
#define isk_demotion       ISK_OWN_NAME(demotion)
#define isk_detect         ISK_OWN_NAME(detect)
#define isk_detect_raw     ISK_OWN_NAME(detect_raw)
#define isk_environ_find   ISK_OWN_NAME(environ_find)
#define isk_explain        ISK_OWN_NAME(explain)
#define isk_explain_choice ISK_OWN_NAME(explain_choice)
#define isk_family_model   ISK_OWN_NAME(family_model)
#define isk_granted        ISK_OWN_NAME(granted)
#define isk_isa_lacks      ISK_OWN_NAME(isa_lacks)
#define isk_isa_set        ISK_OWN_NAME(isa_set)
#define isk_kernel_number  ISK_OWN_NAME(kernel_number)
#define isk_kernel_text    ISK_OWN_NAME(kernel_text)
#define isk_level          ISK_OWN_NAME(level)
#define isk_line_add       ISK_OWN_NAME(line_add)
#define isk_line_begin     ISK_OWN_NAME(line_begin)
#define isk_line_end       ISK_OWN_NAME(line_end)
#define isk_look           ISK_OWN_NAME(look)
#define isk_no_row         ISK_OWN_NAME(no_row)
#define isk_policy_pin     ISK_OWN_NAME(policy_pin)
#define isk_policy_read    ISK_OWN_NAME(policy_read)
#define isk_policy_warn    ISK_OWN_NAME(policy_warn)
#define isk_reader_close   ISK_OWN_NAME(reader_close)
#define isk_reader_next    ISK_OWN_NAME(reader_next)
#define isk_reader_open    ISK_OWN_NAME(reader_open)
#define isk_resolve        ISK_OWN_NAME(resolve)
#define isk_row_of         ISK_OWN_NAME(row_of)
#define isk_rows           ISK_OWN_NAME(rows)
#define isk_state_of       ISK_OWN_NAME(state_of)
#define isk_told           ISK_OWN_NAME(told)
#define isk_tuning_of      ISK_OWN_NAME(tuning_of)

#endif
