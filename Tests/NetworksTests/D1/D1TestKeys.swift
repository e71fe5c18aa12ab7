/// Keys made for these tests with `openssl genpkey`, one for each kind that issuer tokens may be signed with.
enum D1TestKeys {
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgg/mZdfEthsMFzfzN
        gARqfvhZQoMoQUwD//StmtE3TmShRANCAATbtg/KSva2XLgDt/Ytr545xs65LMj5
        5E5BeJJrjUxIw+UzEI4UlD8u0hMaPWx+3+0EDEnviZbxy3wgGANraRg6
        -----END PRIVATE KEY-----
        """

    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCQf18yyhuTBxFFIiXv
        k6Wv3hwAAIRjdEl2U0+xab5pqKThvkT04NtCBPjQ3GuWQJ2hZANiAASp6SpaQ22W
        3fv+lhXEeqVDayDlnCUXnjcvfjUX1ZVLL+oHF0XPk7IfsTCPfPmFScnBg6XxGG7I
        HcmEhbEF7gdLie8wpUUiZ0Wyp0vlFnE+mlWowWvQOVehC43z+8T1JR8=
        -----END PRIVATE KEY-----
        """

    static let p521 = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAFKgHcSx+HWZmsbNU
        F7GTI5bPJtRbOwd5ayTURtQJS6FLMMq/67+A6t8JMVfUyGnGAdU89MIC1Siiy6oX
        GS57ycKhgYkDgYYABAE59Wx913zWVSDAuxQ9dY99VAVHmdz9sC3wFFYSL20rm3F6
        y+VwNJMLTHM4iwMKOMUb23jqgsh+hx6t9hhKUjjUBQAOzjTpmrIyIndzvD1UjUsy
        dotwvrujvx1PwwwL28sdlvWlcDoF9ZI1uo4FHltoulZ3EQJ3tHNx6dVsRLans9RC
        eA==
        -----END PRIVATE KEY-----
        """

    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIDFnR4ByDH6QDYxvoEnaaTbC7KxlGUUt27EsQh3aoFLK
        -----END PRIVATE KEY-----
        """

    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCYpnG3bMFZva0Q
        sVwy8sducRG5sDHsqR8q1GdG37EdxrcvjsFcAQvTrlgRQIf31m2+Uoh2os+Oteuw
        GCWEXwlxBJcOPHt9dPl6w5HwqDhOPUYIULakmLGF/OrSW/gky/jeJnkt24SnvD7k
        tNKzkwowB4W5TIrzxgXzk+5gUAM0Prr2TJUdHxKQ0g17Y+1XfZBe60I5S6Z7Plf+
        J5d5jogrwIumzTbrqmAW4DSY22welro/ZEszVxI1MMtwAUb8j/oimm0iJHBqWGUh
        38rBHhGeC7wzdaCkPKTFGYBiX7h+yhLwIUM/aYawKPECKEzKhQd2epeJ64flHVnY
        fSL8apmDAgMBAAECggEAEMowicnsKQW5dQjnqNxBM+mQgd8FBBBvUtOn7wiy6iEt
        jDfka/fa0tPt8H/WNLFLbXqVyI63IO2WLc6KGdl7fV3Ri4mlf4gP2gE2xRng5OIi
        biRf4mdqZzVep/fg/uhxyBAX61j7ae5E8KeJi/d+pbJox+0eVMURadgkiPK5V36U
        qWwwvWf646ivJu2FDOrj2ZlKxldBr6yyGs1j/9E+rB2ieP8H5kpYfS/achBGDnuq
        Kr3Szm39vbZU4lqkHJIvZbReyu6nddyP9cjNopihLJXSCm5R3Ih/rGQvyFDi36MU
        KX6jkeiiiMnwr5B5ZtUQeQdiNmE0KMuzPSti/ppO6QKBgQDMNTRqRACHs23W5X2Y
        abzmhvUvENR1eIh+8AbCq20NMjReAYNS4+9opzYNM99XReziQidybWKl5k55Ll7O
        AGZ8VgegWnkNdzchpOXl28MuWscws6ZYp7aceStWq9HzwnEQZ+0Hjkt77/+j0UUk
        EJEwVPCdAiZeckwxH1EkCtv0tQKBgQC/XbTgAoPzCqDa3ZFVqLPpAaZwK+7cwstg
        obVuR4jANxVNaJ+4lak6n1kxqT3ZlNQzgeJuYvuyje51OcFmpuq2/j4jtWYwv960
        O/gsrhvblYHwYwrB7LHrwjvi1QNlwGLdyixbxwjJ4t2jjlgGyY/zd94swZWyCX98
        h7y5KHawVwKBgQC7jm5q37Rg7tMGmldFwnBGh1Pwe5O3pRIxDIIZEFwjz6W7ZcZZ
        PpLoWxPRAoCyZr4QfdQ/S+pcF3Ch6o4WxNVcg6OTiyU90e4oD408FiFplOT4fThe
        mwOlKcE9ZKh8K22vNNTGqNH5rk/tBUtsuW6wpoMsogndmzsRrwLWiMbHNQKBgFFy
        W4o/59LoQiAEz1dqzu+rwR/awvX4fkDpcmO2VHCiwRFKJziTkgweSAMH6ggR/OLT
        NAERZdjP6Z7A7xx2jE1IFkByc0TqVKnXIEA79iVWE5CxRqHU0MDr0TswuBp1cF6/
        LnP9WTM7uGNlMPfqj7bq3Iel+MVmn3jr+JnBrApPAoGAJgSVHgPTzOGibf5DY+Pp
        9axVCb8WMPtXCJN1b5seGEkw0xxLP0hJ8e0kuhnB3YHIPbAAHqcnbI2c3joLQ1U2
        SM8aAvyjc/99b4ur79haIfYqTNMfCNUEKCFnBC3AVNw65gXvnBF1ivvzy+Lt7UCV
        lyBHhFJIAieb3KrL7bUg+WY=
        -----END PRIVATE KEY-----
        """
}
