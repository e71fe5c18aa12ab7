/// Keys and certificates made by OpenSSL's command line for these tests only.
enum KeyVectors {
    /// openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCuQMG8j/TwJsOL
        ACWPtlG4jYgNMFVW8ObgihBdulS9Cxgya8UHUMSq1LpOSVJwCU+KwBX09k8Vt2Hb
        rtjW9xgcneh7odkT2KFF+hfMyLYL9GXSqjzjJrRE4sHDGVvpymtwLDKHlt6B6rOU
        5AmG6JJwReO6B3WDb/FIDn48rX5YoahvmjVGNKFHNXYrl+/EGmQP8seyNehfIfb0
        630wv1lAVr3DP3eZACIf9EsiQE65jo6Odvg1YWoplhL78W3IrLZXFQollRat6nPD
        6s5lUcpGjEMvaMt+9/W03DWLekobzxkK9gBLGi7d6iQMqW76dKEOVroKAYd28xhn
        kmj4bUeLAgMBAAECggEAI+rEJD5WAfQzhSC0HVG6uXwuyW0nggKozCqZIgCou8ig
        JbByDcZ3qzCq8D0LyX0Z0KM0Q2hLt9GzUYlSN8j5xthDlcwwBve1kktxAWxznbY0
        EL63SyjsqnBE+RZujBuFlrr9dVZDKes7NdrlHdItcQfu3ybvcXau+KfIHHC0ZMch
        6Nr6RFjK7cd+3iAOOrQWSvA//QFxS098brju8oHcAfniHxY1jto4TlWZ++2SEuk5
        s6nqPVHOdDP8oJLKikddbzTN2SAqj4AWL1vmvzTGG21rgRwYaVUm88KfJ3OWJktp
        /E5GoLfcvxvbKWA/NyW/gAsCMTnnaFEbN2c6myO09QKBgQDsHNIpnQfg5q7e5S77
        SE+tzORjw5xUjZDZNjJBfdHxlw5InyZe/vov7qOCMxwlTW5PWEIcczjNOrxUBqe+
        E826d/OEHGCtFWEtzXaaJrX8ZcA3AT09UGIowGpHoXb/2yw90OMOA8m1TPUXmA2D
        5pqo4k3AhDvZBCSRqTf5KTrPnQKBgQC87hZW4+mTBp+c649ozz8GI9o/e/6vWYQo
        lyzg7yEEjOzFSRWMrPDIw8B+xMtM5ifL+P4QOExqcoEnMAwLxPF8Srr6gDeJLx5K
        jMWYxK1ihEcRyg82twDBPD1XhHCzsFUTdboWFi8aTzbSkxzLA6/ZE8vo9uEtRihp
        E1cXeymPRwKBgQDQc2VrzbH98Usjh8yhliaaN1DPbwvebhkaW0mlHjKyinzWyoLy
        zUMN/C4orXzExgaEUFQVj/fu4FMSD8oZ+pvfazT3RqJnTH++Ey4JS/HRAfff1907
        +3KdrbpmwPsxSUtWy8sZPWjgAjBDgz8zWuzh+uFP/K5lms26N14uQCMm1QKBgDeB
        Y0LH1rmBOqdpdUp/iK6PHfGExkBR9kfOkjrLRlIF7RHQ9OnNbTgueoFD486F169P
        SaUORTUIyvTuYruacq/nbKNnw+kj1KxmSy8kqSPGZPLPAEU84pXi0srBeDLyXSxI
        bBFNFy2NlDetTMpAHQuTi1a4IVOhxwGH0xBs+LrFAoGAbcmfg2tx06otC1cDKkM5
        JhW5WsvEkcIgNKgnTQKi3T+Gshmf4P4oPgm0bRg+wvbzIOJNC/hP6q+2i/LJlUf/
        uYdAr1XXg2pRdMeqp5fH/mRL4/lpXUu7VgCH/tyfgKXO3Nxvh93d4pDvfdupoqZ5
        Ey7yyr6WRj/OAdJVBQfddK0=
        -----END PRIVATE KEY-----
        """

    /// openssl rsa -traditional, the same key.
    static let rsaPKCS1 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEArkDBvI/08CbDiwAlj7ZRuI2IDTBVVvDm4IoQXbpUvQsYMmvF
        B1DEqtS6TklScAlPisAV9PZPFbdh267Y1vcYHJ3oe6HZE9ihRfoXzMi2C/Rl0qo8
        4ya0ROLBwxlb6cprcCwyh5begeqzlOQJhuiScEXjugd1g2/xSA5+PK1+WKGob5o1
        RjShRzV2K5fvxBpkD/LHsjXoXyH29Ot9ML9ZQFa9wz93mQAiH/RLIkBOuY6Ojnb4
        NWFqKZYS+/FtyKy2VxUKJZUWrepzw+rOZVHKRoxDL2jLfvf1tNw1i3pKG88ZCvYA
        Sxou3eokDKlu+nShDla6CgGHdvMYZ5Jo+G1HiwIDAQABAoIBACPqxCQ+VgH0M4Ug
        tB1Rurl8LsltJ4ICqMwqmSIAqLvIoCWwcg3Gd6swqvA9C8l9GdCjNENoS7fRs1GJ
        UjfI+cbYQ5XMMAb3tZJLcQFsc522NBC+t0so7KpwRPkWbowbhZa6/XVWQynrOzXa
        5R3SLXEH7t8m73F2rvinyBxwtGTHIeja+kRYyu3Hft4gDjq0FkrwP/0BcUtPfG64
        7vKB3AH54h8WNY7aOE5VmfvtkhLpObOp6j1RznQz/KCSyopHXW80zdkgKo+AFi9b
        5r80xhtta4EcGGlVJvPCnydzliZLafxORqC33L8b2ylgPzclv4ALAjE552hRGzdn
        OpsjtPUCgYEA7BzSKZ0H4Oau3uUu+0hPrczkY8OcVI2Q2TYyQX3R8ZcOSJ8mXv76
        L+6jgjMcJU1uT1hCHHM4zTq8VAanvhPNunfzhBxgrRVhLc12mia1/GXANwE9PVBi
        KMBqR6F2/9ssPdDjDgPJtUz1F5gNg+aaqOJNwIQ72QQkkak3+Sk6z50CgYEAvO4W
        VuPpkwafnOuPaM8/BiPaP3v+r1mEKJcs4O8hBIzsxUkVjKzwyMPAfsTLTOYny/j+
        EDhManKBJzAMC8TxfEq6+oA3iS8eSozFmMStYoRHEcoPNrcAwTw9V4Rws7BVE3W6
        FhYvGk820pMcywOv2RPL6PbhLUYoaRNXF3spj0cCgYEA0HNla82x/fFLI4fMoZYm
        mjdQz28L3m4ZGltJpR4ysop81sqC8s1DDfwuKK18xMYGhFBUFY/37uBTEg/KGfqb
        32s090aiZ0x/vhMuCUvx0QH339fdO/tyna26ZsD7MUlLVsvLGT1o4AIwQ4M/M1rs
        4frhT/yuZZrNujdeLkAjJtUCgYA3gWNCx9a5gTqnaXVKf4iujx3xhMZAUfZHzpI6
        y0ZSBe0R0PTpzW04LnqBQ+POhdevT0mlDkU1CMr07mK7mnKv52yjZ8PpI9SsZksv
        JKkjxmTyzwBFPOKV4tLKwXgy8l0sSGwRTRctjZQ3rUzKQB0Lk4tWuCFToccBh9MQ
        bPi6xQKBgG3Jn4NrcdOqLQtXAypDOSYVuVrLxJHCIDSoJ00Cot0/hrIZn+D+KD4J
        tG0YPsL28yDiTQv4T+qvtovyyZVH/7mHQK9V14NqUXTHqqeXx/5kS+P5aV1Lu1YA
        h/7cn4Clztzcb4fd3eKQ733bqaKmeRMu8sq+lkY/zgHSVQUH3XSt
        -----END RSA PRIVATE KEY-----
        """

    /// openssl pkey -pubout.
    static let rsaPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArkDBvI/08CbDiwAlj7ZR
        uI2IDTBVVvDm4IoQXbpUvQsYMmvFB1DEqtS6TklScAlPisAV9PZPFbdh267Y1vcY
        HJ3oe6HZE9ihRfoXzMi2C/Rl0qo84ya0ROLBwxlb6cprcCwyh5begeqzlOQJhuiS
        cEXjugd1g2/xSA5+PK1+WKGob5o1RjShRzV2K5fvxBpkD/LHsjXoXyH29Ot9ML9Z
        QFa9wz93mQAiH/RLIkBOuY6Ojnb4NWFqKZYS+/FtyKy2VxUKJZUWrepzw+rOZVHK
        RoxDL2jLfvf1tNw1i3pKG88ZCvYASxou3eokDKlu+nShDla6CgGHdvMYZ5Jo+G1H
        iwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// openssl rsa -RSAPublicKey_out.
    static let rsaPublicPKCS1 = """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEArkDBvI/08CbDiwAlj7ZRuI2IDTBVVvDm4IoQXbpUvQsYMmvFB1DE
        qtS6TklScAlPisAV9PZPFbdh267Y1vcYHJ3oe6HZE9ihRfoXzMi2C/Rl0qo84ya0
        ROLBwxlb6cprcCwyh5begeqzlOQJhuiScEXjugd1g2/xSA5+PK1+WKGob5o1RjSh
        RzV2K5fvxBpkD/LHsjXoXyH29Ot9ML9ZQFa9wz93mQAiH/RLIkBOuY6Ojnb4NWFq
        KZYS+/FtyKy2VxUKJZUWrepzw+rOZVHKRoxDL2jLfvf1tNw1i3pKG88ZCvYASxou
        3eokDKlu+nShDla6CgGHdvMYZ5Jo+G1HiwIDAQAB
        -----END RSA PUBLIC KEY-----
        """

    /// openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048.
    static let otherRSA = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCK4OeyhifKESwC
        X3aFDqY63cIGyk6I/nm2VBAiuQ4FVKGT37JilFC61/xJmg1SyUr2iO2rIT+muKm0
        g64ICJB8y3YT4H8wRattyLu4E/Z/teejS/SpfkdlsLoGEYK0v732E8AA8M/loMFb
        iAZyoNPYszV6tZ+6u903pKohr5l9DOpzt7gXK/PHRGUv4JnL2SZJLkHN2OjXWB7l
        K9Gylc7o9HOb0zd1EnB1eC79yAApd/cVYyy6+tv/xqrx1X2oTOutoDbtrTp6e2L6
        oZoU4jj4h/AQhE5v0NnGJ4duFT76wTgLgnsKiVp2jlSxKbnKUzvGZpO/wMqIb1oC
        tTxyFSf5AgMBAAECggEALj98WSqs2HFEfxvMS74XpFXR9dHsOlnILWwsHWwT27mV
        vzlI3eQ3SCmCBf6rvixzbsslno4JdNtdBFSvoVQ8zZox3aeuo2QoFPy6arAXL+tj
        UrGKLeF0JEyofjnZlZieyXJFR+rpyLXyfik7wHOHaMwxHIacRSKnpg6La4FfM1Ga
        saZPte6Bh8HxV/tzQWeOX9W/b7hiprgQqg4PHLTmc/E6lsaamtC3YK3XEWZlKJVO
        EG/UWsQzB0pa7Tilt/HKFL6za7KFlkTkivfFGvnNQxYrkdMwlv+hon97Mn1sqB8s
        MMyA2vyY1Y+dRpeDEyy86FtIN4Paxjcv0BGRp+nuOwKBgQC9+wvJn+dD3RqSvb8E
        oATfi0RdD5tWHYBkHhYmcLMLXQlc+KavQCiBcq3TyW+12oWHpj/cKTs42K7mf2IQ
        DJUhIW9GxDp748vmDIzLJrkWPc9Bk5iAeq9d1ypcG0PD/QCv532ahV2bK8yF1D6u
        kxS3u7s8DTTSINeNlZWTy9wQtwKBgQC7I72uN9qOHh8WhXnshpeAETxekJP1s7GU
        UFWB13o/jSpY/NvZXfh+fKHzGTVGlZpLeSIS5GcnqnmxNAX3EIBHaxMB25LnllJ1
        yEEiiFWN3DYPoSbfIkJWjfmi4BebK/hT01UYpGcDzIIjzwnKuPA9rzVxsYCAPItn
        0MtY5E18zwKBgQCPS4QgmFO/hE4+0I/71RbX5huydcscsTPeUDM021yw/YPKdGKF
        XUcwHGewjweLiz+ciXExhof84LNLeFlm8ZaqXqWoIupZ+AAbjOvFb3e7pvNk6wbk
        IaWUim6Q+p+qfHLAO0MqAd4Q5IBnkSeWVaoSy672JJ/qvorXaDRiPinHEQKBgQCY
        EZAGLR7tU27Bt07/M9OSXu8mjOeexhlsQudo7jdJwyWBUGA6PxE5f39+cqKHK/RI
        ljNpFK76XZ4rr/GU9ZS39DtqzAmRJOb3DPZY4F5dO2+2vaY/tbAgc5hCkUS9dDqD
        q3w/3QBU5u9tt8TmNegKyABu1eVsz0Yc418KaeLJowKBgFTxRkAfQ1lm+UCgEZbk
        p80qR89fa14SNj9F6vvDeNTV6df485B7TY868mVFDO1GeGTDwHegrEuFOaeNzVFb
        UdFtE3ZCDKEHTq5hOmtU1hAyP1uiTTo7ySu8mmHUVqHmTUWMWAiDqrNsKlo3PqUk
        veVYT9+8fwszPKcIc2tDHy3u
        -----END PRIVATE KEY-----
        """

    /// openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024.
    static let shortRSAPublic = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDYdGLptRMTP+rZk8WmprijCVb5
        W7DypDofWow4wE2Tg26b4T8al1puqge713Fl66GVuVcn+nYgbrA8SqqEFH66UW5+
        pbxOUF8XYftwjEZBKc9TZyMGZDxj+/QtWlG363ITWKrIcOIV4G0d+OypBbYgUyj5
        2OALZrGy+dhoBinaoQIDAQAB
        -----END PUBLIC KEY-----
        """

    /// openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256.
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzwiUH0qw87IPlFVD
        hVSnzVFKVFKhKaXrVvxceim3u8GhRANCAAT5O0Tx71x3joGeqOQ+N6sQghhOBaIx
        ZjVCSIOiWxYTp1yljK5kO6kBG1tmd2ENA8rAMbPSgFSCgtTs0f4lrGJ3
        -----END PRIVATE KEY-----
        """

    /// openssl ec, the same key.
    static let p256SEC1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIM8IlB9KsPOyD5RVQ4VUp81RSlRSoSml61b8XHopt7vBoAoGCCqGSM49
        AwEHoUQDQgAE+TtE8e9cd46BnqjkPjerEIIYTgWiMWY1QkiDolsWE6dcpYyuZDup
        ARtbZndhDQPKwDGz0oBUgoLU7NH+Jaxidw==
        -----END EC PRIVATE KEY-----
        """

    /// openssl pkcs8 -topk8 -passout pass:x, the same key.
    static let p256Encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi/U3iYRKyFkwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEH8NM5yZVRBltxvj4X8voFIEgZCq
        p9v3umCupD4EpDqDX0J7AMaeNIPZpAzUsIxUyWzUugmpt/xpiMykJoyVbx063JT8
        +jbHtywEizCynkGm1u1z1xA7CjE3E4CfWYD5UvkShzEnmWpN+HtL33ky6UWbXPX5
        ic8ZXpmSKcz149GxXXFUpTMjlwgaJ0kM3GOZE5k0TfBoZb+uFsV8Zfw9QjPHwJE=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// as above, P-384.
    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDB8E9gVMiRw8K84dV/p
        4RPRSGWpbmChpEd4pBbefbDg/FVqIFbtdsAPtif/U2rl4aqhZANiAAR1BrQU/q0m
        VbYFYE1E/qIQJLe6ZMQtipG0/ekcY+NuZmBAl9o2UZlMyS1KSb0HxklJ6De5nrn4
        98mlFc+zYk1cSUhufuhyxX3LDkjgwGAoi+SQdjLpy2UfwUyPpWNsxvk=
        -----END PRIVATE KEY-----
        """

    /// as above, P-521.
    static let p521 = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAUeEzNsVFkrN3PIot
        RfGr5AXKhS+xc8xJWa8Uc4DRU1KBLVeFfDz8YhJ64eQPyVm1Pv5+npv8GDKeJQX9
        X+ZwFLOhgYkDgYYABABa9kXdR6V4q1JoIKQPnKS7Xa6gbqhOc6uG5XdW6LSHom49
        j8N+0IG5cXofNa/VxrD/BlDFpcop3acBF7bhotTDQQDXg/EnUzF/KsERemlgKPzK
        mzQb3rutejxrmVb2xyhHJ0fdCCzMEMc+OCHc+ulN/4Rf680NJgYOgDLNRIP10oev
        Iw==
        -----END PRIVATE KEY-----
        """

    /// as above, secp256k1, -pubout.
    static let secp256k1Public = """
        -----BEGIN PUBLIC KEY-----
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEcSuojNgpSh37K0YN7GE4skT1KPDFl7i3
        BvIaEFeGiAZ5XQJzYeXaCs9YiEneedO/GtZdhxACNBa5YAEVhFP++A==
        -----END PUBLIC KEY-----
        """

    /// openssl genpkey -algorithm ed25519.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIM73iMb26zgemvKkID0p1RYQav2HAAm25B6Idkpl4+jV
        -----END PRIVATE KEY-----
        """

    /// openssl req -new -x509 with subjectKeyIdentifier = ASCII PAYLOAD-KEY-1, serial 0x1001, key rsa.
    static let payloadCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIC1jCCAb6gAwIBAgICEAEwDQYJKoZIhvcNAQELBQAwGDEWMBQGA1UEAwwNUEFZ
        TE9BRC1LRVktMTAeFw0yNjExMzAwMjQ3NTlaFw0zNjExMjcwMjQ3NTlaMBgxFjAU
        BgNVBAMMDVBBWUxPQUQtS0VZLTEwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEK
        AoIBAQCuQMG8j/TwJsOLACWPtlG4jYgNMFVW8ObgihBdulS9Cxgya8UHUMSq1LpO
        SVJwCU+KwBX09k8Vt2HbrtjW9xgcneh7odkT2KFF+hfMyLYL9GXSqjzjJrRE4sHD
        GVvpymtwLDKHlt6B6rOU5AmG6JJwReO6B3WDb/FIDn48rX5YoahvmjVGNKFHNXYr
        l+/EGmQP8seyNehfIfb0630wv1lAVr3DP3eZACIf9EsiQE65jo6Odvg1YWoplhL7
        8W3IrLZXFQollRat6nPD6s5lUcpGjEMvaMt+9/W03DWLekobzxkK9gBLGi7d6iQM
        qW76dKEOVroKAYd28xhnkmj4bUeLAgMBAAGjKjAoMBYGA1UdDgQPBA1QQVlMT0FE
        LUtFWS0xMA4GA1UdDwEB/wQEAwIFIDANBgkqhkiG9w0BAQsFAAOCAQEAo/JXzT7H
        mGz6+6Hs3P/ABsKh6TMGajQy23x7JSHd1O6rTFAOHxEHNTYvDsPZh6zag3ot6+w6
        BtwsmqpWzagzl01XZ35OnP3fI2uVMmkx9y8KVZASdkH2/XeLyXf10PZCX4SDmG/+
        QpsO7LWwtwotlwFD/Ex5ZPthemTVmawOZ0+xRGCE37WNG22szg3sqL8Br/363whM
        x+EgzzkyQTHnakiIZvOAtHov4q+bLKuKZlc3BRldgcqfrGTh01cXgTdmt4bX+xmV
        AN+boVKk/9okbCrJ0qHhFuAQfKMInJgpIDAWh9AYDtGSJTinrzwnH2/H5y8w7uwx
        uhWaJ/Gf+mk2lw==
        -----END CERTIFICATE-----
        """

    /// openssl req -new -x509 without subjectKeyIdentifier, serial 0x2002, key otherRSA.
    static let otherCertificate = """
        -----BEGIN CERTIFICATE-----
        MIICqTCCAZGgAwIBAgICIAIwDQYJKoZIhvcNAQELBQAwEDEOMAwGA1UEAwwFT1RI
        RVIwHhcNMjYxMTMwMDI0NzU5WhcNMzYxMTI3MDI0NzU5WjAQMQ4wDAYDVQQDDAVP
        VEhFUjCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAIrg57KGJ8oRLAJf
        doUOpjrdwgbKToj+ebZUECK5DgVUoZPfsmKUULrX/EmaDVLJSvaI7ashP6a4qbSD
        rggIkHzLdhPgfzBFq23Iu7gT9n+156NL9Kl+R2WwugYRgrS/vfYTwADwz+WgwVuI
        BnKg09izNXq1n7q73TekqiGvmX0M6nO3uBcr88dEZS/gmcvZJkkuQc3Y6NdYHuUr
        0bKVzuj0c5vTN3UScHV4Lv3IACl39xVjLLr62//GqvHVfahM662gNu2tOnp7Yvqh
        mhTiOPiH8BCETm/Q2cYnh24VPvrBOAuCewqJWnaOVLEpucpTO8Zmk7/AyohvWgK1
        PHIVJ/kCAwEAAaMNMAswCQYDVR0TBAIwADANBgkqhkiG9w0BAQsFAAOCAQEAb94F
        j/JKE83e7wLapDCmNAC817iPvqmtuLfHLdM4AbnC+6iELVAxr9Q2V5forQvp/nFt
        rhx3Es82+f4z3O+yEzl+x65tubYfDev6Q6mdV3HanGF4oIvHlovKe5icJX5qCD0H
        ICLipYjubEpHqKR9yNsM1zF/VGr3BhtmSVqecFIEJV6Z57Goal8LAEJH6lH2GNQt
        bgPE9gPlWW69mFzlY11h1tiP3YfrHPdLb1jzBsfjdQdX3Wv8S6gGzBLH7E0Y80NF
        NP9nFEQwT9/s5TD6Cirdevlb9qS8yiLhhx0NnGpoJ1svMgTg7mnIY0dY6kPdh/ZJ
        jlEY1qi97QuCaJLzww==
        -----END CERTIFICATE-----
        """
}
