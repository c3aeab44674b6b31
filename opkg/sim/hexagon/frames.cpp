// Saving and restoring of registers that clang calls at -Os: pairs from r17:16 on, one below the other under the frame pointer.
// Libraries that an open clang links have them, too: calls of one's own code take no detour over a table of imports.
// SPDX-License-Identifier: Apache-2.0

#define FUNCTION(name, body) \
  __asm__(".section .text." #name ",\"ax\",@progbits\n.p2align 4\n.globl " #name "\n.hidden " #name "\n.type " #name ",@function\n" \
          #name ":\n" body ".size " #name ", .-" #name "\n")

#define SAVE(pair, place) "{ memd(fp+#-" #place ") = " #pair " }\n"
#define RESTORE(pair, place) "{ " #pair " = memd(fp+#-" #place ") }\n"

#define PAIRS_17(each) each(r17:16, 8)
#define PAIRS_19(each) PAIRS_17(each) each(r19:18, 16)
#define PAIRS_21(each) PAIRS_19(each) each(r21:20, 24)
#define PAIRS_23(each) PAIRS_21(each) each(r23:22, 32)
#define PAIRS_25(each) PAIRS_23(each) each(r25:24, 40)
#define PAIRS_27(each) PAIRS_25(each) each(r27:26, 48)

// Before a tail call the frame goes too, and the function goes on: a packet jumps to where r31 pointed before it.
#define FRAMES(last)                                                                                            \
  FUNCTION(__save_r16_through_r##last, PAIRS_##last(SAVE) "{ jumpr r31 }\n");                                   \
  FUNCTION(__restore_r16_through_r##last##_and_deallocframe, PAIRS_##last(RESTORE) "{ dealloc_return }\n");     \
  FUNCTION(__restore_r16_through_r##last##_and_deallocframe_before_tailcall,                                    \
           PAIRS_##last(RESTORE) "{ deallocframe\n  jumpr r31 }\n")

FRAMES(17);
FRAMES(19);
FRAMES(21);
FRAMES(23);
FRAMES(25);
FRAMES(27);
